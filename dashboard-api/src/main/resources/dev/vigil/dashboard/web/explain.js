/** Why an event was scored as it was. Everything that came from outside is put into the page as text. */
import { html, nothing } from 'lit';
import { clock, count, dateTime, value } from './format.js';

const DOUBTS = {
  forgotten: 'events of the window may have been forgotten since',
  labels: 'labels count as they are now',
  reference: 'a reference row has changed since, or is not there',
  fields: 'a field of that policy has been given up',
};

const usToMs = (us) => us / 1_000;

export function explained(explanation, problem) {
  if (problem) return html`<p class="muted">${problem}</p>`;
  if (!explanation) return html`<p class="muted">loading…</p>`;
  const unknown = explanation.completeness_unknown;
  const later = explanation.later;
  return html`<div class="explained">
    ${later
      ? html`<p class="muted">By what is known now: <b>${later.decision}</b>, score ${later.score}. ${count(later.events)} of the events within its windows came after it was scored.</p>`
      : nothing}
    ${unknown ? html`<p class="muted">Whether windows were complete is not known: ${unknown}.</p>` : nothing}
    ${explanation.features.map((f) => feature(f, explanation))}
  </div>`;
}

function feature(f, explanation) {
  const partial = f.complete_since_us > explanation.event_time_us;
  const head = html`<code>${f.name}</code> <b>${value(f.value)}</b>
    ${f.window ? html`<small class="muted">${count(f.window.count)} ${f.window.event_type}</small>` : nothing}
    ${f.doubts.map((d) => html`<small class="warn" title=${DOUBTS[d] ?? d}>${d}</small>`)}
    ${partial ? html`<small class="warn" title="for events before ${dateTime(usToMs(f.complete_since_us))} the window may lack a part of the past">partial</small>` : nothing}`;
  if (f.window && f.window.count > 0) {
    return html`<details>
      <summary>${head}</summary>
      ${contributors(f.window)}
    </details>`;
  }
  const reads = Object.entries(f.reads ?? {});
  return html`<div class="explained-line">
    ${head} ${reads.map(([name, v]) => html`<small class="muted">${name} ${value(v)}</small>`)}
  </div>`;
}

function contributors(window) {
  const omitted = window.count - window.events.length;
  return html`<p class="muted">
      after ${dateTime(usToMs(window.from_us))}, up to
      ${dateTime(usToMs(window.to_us))}${omitted > 0 ? `; ${count(omitted)} in between are not listed` : ''}
    </p>
    <table class="plain">
      <tbody>
        ${window.events.map(
          (e) =>
            html`<tr title=${e.source}>
              <td class="time" title=${dateTime(usToMs(e.event_time_us))}>${clock(usToMs(e.event_time_us))}</td>
              <td class="id">${e.event_id}</td>
              <td class="number">${e.value === undefined ? '' : value(e.value)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
