/** The machinery: services, partitions, history, change capture. */
import { html, nothing } from 'lit';
import { ago, bytes, count, dateTime, minute, span } from './format.js';

const NAMES = {
  'cdc-ingest': 'Change capture',
  'scoring-engine': 'Scoring engine',
  alerting: 'Alerting',
  'lakehouse-sink': 'History',
  'dashboard-api': 'Dashboard',
};

const usToMs = (us) => (us === null || us === undefined ? us : us / 1_000);
/** In the order in which an event meets them. */
const byFlow = (a, b) => place(a) - place(b);
const place = (s) => (Object.keys(NAMES).indexOf(s.service) + 1 || 99);
const find = (snapshot, service) => snapshot.services.filter((s) => s.service === service);

export function services(snapshot) {
  return html`<article class="panel">
    <header class="panel-head"><h2>Services</h2></header>
    ${snapshot.services.length === 0 ? html`<p class="empty">No service is known.</p>` : nothing}
    <ul class="services">
      ${[...snapshot.services].sort(byFlow).map(
        (s) =>
          html`<li>
            <span class="dot ${s.state.toLowerCase()}"></span>
            <span class="name">${NAMES[s.service] ?? s.service}</span>
            <span class="muted">${summary(s)}</span>
            <span class="state">${s.state.toLowerCase()}</span>
            ${s.problem ? html`<span class="problem">${s.problem}</span>` : nothing}
          </li>`,
      )}
    </ul>
  </article>`;
}

function summary(s) {
  switch (s.service) {
    case 'cdc-ingest':
      return s.phase ? `${s.phase}, ${count(s.published)} published` : '';
    case 'scoring-engine':
      return s.counts ? `${count(s.counts.scored)} scored` : '';
    case 'alerting':
      return s.delivered === undefined ? '' : `${count(s.delivered)} delivered, ${count(s.pending)} pending`;
    case 'lakehouse-sink':
      return s.tables ? `${count(s.tables.reduce((sum, t) => sum + t.rows, 0))} rows` : '';
    case 'dashboard-api':
      return s.accepted === undefined
        ? ''
        : `${count(s.accepted)} events by HTTP${s.refused ? `, ${count(s.refused)} refused` : ''}${byKafka(s.kafka)}, ${count(s.live_clients)} ${s.live_clients === 1 ? 'viewer' : 'viewers'}`;
    default:
      return '';
  }
}

/** Nothing where no topic is read, or nothing was ever in it and nothing keeps it from being read. */
function byKafka(kafka) {
  if (!kafka || (!kafka.accepted && !kafka.dead_lettered && !kafka.skipped && !kafka.lag && !kafka.problem)) return '';
  const parts = [`${count(kafka.accepted)} by Kafka`];
  if (kafka.dead_lettered) parts.push(`${count(kafka.dead_lettered)} refused`);
  if (kafka.skipped) parts.push(`${count(kafka.skipped)} skipped`);
  if (kafka.missed) parts.push(`${count(kafka.missed)} missed`);
  if (kafka.lag) parts.push(`${count(kafka.lag)} behind`);
  if (kafka.problem) parts.push(`waits: ${kafka.problem}`);
  return `, ${parts.join(', ')}`;
}

export function partitions(snapshot, nowMs) {
  if (snapshot.partitions.length === 0) return nothing;
  return html`<article class="panel">
    <header class="panel-head"><h2>Partitions of the log</h2></header>
    <div class="scroll">
      <table class="plain">
        <thead>
          <tr>
            <th class="number">#</th>
            <th class="number">lag</th>
            <th class="number" title="how far the watermark, in event time, is behind the wall clock">watermark</th>
            <th class="number">scored</th>
            <th class="number">checkpoint</th>
          </tr>
        </thead>
        <tbody>
          ${snapshot.partitions.map(
            (p) =>
              html`<tr>
                <td class="number muted">${p.partition}</td>
                <td class="number ${p.lag > 1_000 ? 'warn' : ''}">${count(p.lag)}</td>
                <td class="number" title=${dateTime(usToMs(p.watermark_us))}>
                  ${p.watermark_us === undefined ? '–' : `−${span(nowMs - p.watermark_us / 1_000)}`}
                </td>
                <td class="number">${count(p.counts.scored)}</td>
                <td class="number" title="offset ${p.checkpoint_offset ?? '–'}">${ago(p.checkpoint_at_ms, nowMs)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </article>`;
}

export function history(snapshot, nowMs) {
  const sinks = find(snapshot, 'lakehouse-sink').filter((s) => s.tables);
  if (sinks.length === 0) return nothing;
  const tables = sinks.flatMap((s) => s.tables);
  return html`<article class="panel">
    <header class="panel-head">
      <h2>Iceberg history</h2>
      <span class="muted">${fresh(sinks, nowMs)}</span>
    </header>
    <table class="plain">
      <thead>
        <tr>
          <th>table</th>
          <th class="number">rows</th>
          <th class="number">commits</th>
          <th class="number">last commit</th>
        </tr>
      </thead>
      <tbody>
        ${tables.map(
          (t) =>
            html`<tr>
              <td><code>${t.table}</code></td>
              <td class="number">${count(t.rows)}</td>
              <td class="number">${count(t.snapshots)}</td>
              <td class="number" title="snapshot ${t.last_snapshot_id ?? '–'}">${ago(t.last_commit_at_ms, nowMs)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </article>`;
}

function fresh(sinks, nowMs) {
  const until = sinks.map((s) => s.fresh_until_ms).filter((t) => t !== undefined && t !== null);
  return until.length === 0 ? '' : `complete until ${span(nowMs - Math.min(...until))} ago`;
}

export function capture(snapshot, nowMs) {
  const sources = find(snapshot, 'cdc-ingest').filter((s) => s.phase);
  if (sources.length === 0) return nothing;
  return html`<article class="panel">
    <header class="panel-head"><h2>Change capture</h2></header>
    ${sources.map(
      (s) =>
        html`<dl class="figures">
          ${figure('phase', s.phase)} ${figure('rows read', count(s.rows_read))}
          ${s.snapshot ? figure(`snapshot of ${s.snapshot.table}`, snapshotRows(s.snapshot)) : nothing}
          ${figure('published', count(s.published))} ${figure('skipped', count(s.skipped))}
          ${s.waiting ? figure('wait for their account', count(s.waiting)) : nothing}
          ${figure('refused', count(s.dead_lettered), s.dead_lettered > 0)}
          ${figure('newest row', ago(usToMs(s.last_event_time_us), nowMs))}
          ${figure('log not read yet', bytes(s.slot_lag_bytes))}
        </dl>`,
    )}
  </article>`;
}

const snapshotRows = (s) =>
  s.expected_rows ? `${count(s.rows)} of about ${count(s.expected_rows)}` : count(s.rows);

export function counts(snapshot) {
  const c = snapshot.counts;
  if (!c) return nothing;
  const ends = c.scored + c.control + c.reference + c.label + c.duplicate + c.late + c.dead_lettered;
  return html`<article class="panel">
    <header class="panel-head">
      <h2>Where every record went</h2>
      ${ends === c.read
        ? html`<span class="balanced">adds up</span>`
        : html`<span class="problem">${count(c.read - ends)} unaccounted for</span>`}
    </header>
    <dl class="figures">
      ${figure('read', count(c.read))} ${figure('scored', count(c.scored))} ${figure('duplicate', count(c.duplicate))}
      ${figure('late', count(c.late))} ${figure('dead letters', count(c.dead_lettered), c.dead_lettered > 0)}
      ${figure('reference', count(c.reference))} ${figure('labels', count(c.label))}
      ${figure('control', count(c.control))}
    </dl>
  </article>`;
}

/** So many stand in the panel as they are; more are folded. */
const UNFOLDED = 4;

/** Features whose window is not known as a whole yet, on a young log or after a change of policy; nothing where all are. */
export function incomplete(snapshot) {
  const watermark = snapshot.watermark_us;
  const since = new Map();
  for (const engine of find(snapshot, 'scoring-engine')) {
    for (const [feature, us] of Object.entries(engine.complete_since_us ?? {})) {
      since.set(feature, Math.max(us, since.get(feature) ?? us));
    }
  }
  const pending = [...since]
    .filter(([, us]) => watermark === undefined || us > watermark)
    .sort(([, a], [, b]) => a - b);
  if (pending.length === 0) return nothing;
  const last = pending[pending.length - 1][1];
  return html`<article class="panel">
    <header class="panel-head">
      <h2>Windows still filling</h2>
      <span class="muted">${count(pending.length)} of ${count(since.size)} features</span>
    </header>
    <p class="note">
      The log does not reach back over the whole window of these features yet: for events before the time named, a value may
      lack a part of the past.
    </p>
    ${pending.length <= UNFOLDED
      ? filling(pending)
      : html`<details class="filling">
          <summary>all complete from ${minute(usToMs(last))}</summary>
          ${filling(pending)}
        </details>`}
  </article>`;
}

function filling(pending) {
  return html`<table class="plain">
    <tbody>
      ${pending.map(
        ([feature, us]) =>
          html`<tr>
            <td><code>${feature}</code></td>
            <td class="number" title=${dateTime(usToMs(us))}>complete from ${minute(usToMs(us))}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function endpoints(snapshot) {
  const all = find(snapshot, 'alerting').flatMap((s) => s.endpoints ?? []);
  if (all.length === 0) return nothing;
  return html`<article class="panel">
    <header class="panel-head"><h2>Webhook endpoints</h2></header>
    <table class="plain">
      <thead>
        <tr>
          <th>endpoint</th>
          <th>state</th>
          <th class="number">delivered</th>
          <th class="number">failed</th>
          <th class="number">pending</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(
          (e) =>
            html`<tr title=${e.last_problem ?? ''}>
              <td>${e.name}</td>
              <td>${e.state}</td>
              <td class="number">${count(e.delivered)}</td>
              <td class="number ${e.failed_attempts > 0 ? 'warn' : ''}">${count(e.failed_attempts)}</td>
              <td class="number">${count(e.pending)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </article>`;
}

function figure(name, text, warn = false) {
  return html`<div>
    <dt>${name}</dt>
    <dd class=${warn ? 'warn' : ''}>${text}</dd>
  </div>`;
}
