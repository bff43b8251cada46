/** One case: its alerts, its history, and what can be done. Everything that came from outside is put into the page as text. */
import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { get, post } from './api.js';
import { decisionPill } from './alerts.js';
import { clock, count, dateTime, minute, money } from './format.js';
import { remember, statePill } from './knowncases.js';
import './caseactions.js';

const REFRESH_MS = 3_000;
/** How often an action is sent again by itself where nothing but alerts came in between. */
const MAX_RESENT = 3;

/** Of these it matters which alerts the case has. */
const ON_WHAT_IS_SEEN = ['close', 'reopen'];
/** Answers after which the same action may be sent again. */
const MAY_PASS = [0, 429, 503];

const DONE = {
  acknowledge: 'Acknowledged.',
  assign: 'Assigned.',
  note: 'Noted.',
  close: 'Closed.',
  reopen: 'Reopened.',
  snooze: 'Snoozed.',
  unsnooze: 'The snooze is over.',
};

const usToMs = (us) => us / 1_000;

/** Also where the page is not reached by HTTPS, as randomUUID is not. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
}

/** What people did, to see whether somebody did something. */
function lastDone(c) {
  return JSON.stringify(c.history.filter((entry) => entry.done !== 'refused').at(-1) ?? null);
}

class CaseDetails extends LitElement {
  static properties = {
    caseId: { attribute: false },
    name: { attribute: false },
    signedIn: { attribute: false },
    shown: { state: true },
    gone: { state: true },
    notice: { state: true },
    problem: { state: true },
    again: { state: true },
    busy: { state: true },
  };

  #loadedFor = null;
  #timer = null;

  constructor() {
    super();
    this.caseId = null;
    this.name = '';
    this.signedIn = false;
    this.#forget();
  }

  createRenderRoot() {
    return this;
  }

  #forget() {
    this.shown = null;
    this.gone = null;
    this.notice = null;
    this.problem = null;
    this.again = null;
    this.busy = false;
  }

  willUpdate() {
    if (this.caseId === this.#loadedFor) return;
    this.#loadedFor = this.caseId;
    this.#forget();
    clearInterval(this.#timer);
    if (this.caseId === null) return;
    this.#load();
    this.#timer = setInterval(() => {
      if (!document.hidden && !this.busy) this.#load();
    }, REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  updated(changed) {
    const dialog = this.querySelector('dialog');
    if (this.caseId !== null && !dialog.open) dialog.showModal();
    if (this.caseId === null && dialog.open) dialog.close();
    const isSaid = (changed.has('notice') && this.notice) || (changed.has('problem') && this.problem);
    if (isSaid) this.querySelector('.said')?.focus();
  }

  async #load() {
    const id = this.#loadedFor;
    try {
      const found = await get(`/cases/${encodeURIComponent(id)}`);
      if (id !== this.#loadedFor || this.busy) return;
      this.#show(found);
      this.gone = null;
    } catch (e) {
      if (id === this.#loadedFor) this.gone = e.message;
    }
  }

  #show(c) {
    this.shown = c;
    remember([c]);
  }

  /** @param action of caseactions.js, without who and on what */
  #act(action) {
    if (this.busy) return;
    this.#send(action, newId(), this.shown, 0);
  }

  async #send(action, key, seen, resent) {
    const id = this.#loadedFor;
    this.busy = true;
    this.notice = null;
    this.problem = null;
    this.again = null;
    const body = { ...action };
    if (!this.signedIn) body.by = this.name;
    if (action.action !== 'note') body.if_revision = seen.revision;
    try {
      const answer = await post(`/cases/${encodeURIComponent(id)}/actions`, body, { 'Idempotency-Key': key });
      if (id !== this.#loadedFor) return;
      const isTaken = answer.state !== undefined;
      if (isTaken) this.#show(answer);
      this.notice = isTaken ? DONE[action.action] : 'Stored. Alerting has not taken it yet; once it has, the history shows it.';
      this.querySelector('case-actions').done(action);
    } catch (e) {
      if (id !== this.#loadedFor) return;
      if (e.status === 409) await this.#tooLate(action, seen, resent, e);
      else this.#failed(action, key, seen, e);
    } finally {
      if (id === this.#loadedFor) this.busy = false;
      this.dispatchEvent(new CustomEvent('case-changed', { bubbles: true }));
    }
  }

  /** Whoever decides on what is seen decides again; otherwise alerts that came in between do not matter. */
  async #tooLate(action, seen, resent, e) {
    const id = this.#loadedFor;
    let now;
    try {
      now = await get(`/cases/${encodeURIComponent(id)}`);
    } catch (unread) {
      this.problem = `${e.message} How it stands now cannot be read: ${unread.message}`;
      return;
    }
    if (id !== this.#loadedFor) return;
    this.#show(now);
    const isOnlyAlerts = now.revision !== seen.revision && lastDone(now) === lastDone(seen);
    if (isOnlyAlerts && !ON_WHAT_IS_SEEN.includes(action.action) && resent < MAX_RESENT) {
      await this.#send(action, newId(), now, resent + 1);
      return;
    }
    const why = isOnlyAlerts ? 'Another alert came meanwhile.' : 'Somebody was faster.';
    this.problem = `${now.revision === seen.revision ? '' : `${why} `}Nothing was done: ${e.message}. The case is shown as it is now.`;
    this.again = { label: 'do it nevertheless', send: () => this.#send(action, newId(), this.shown, MAX_RESENT) };
  }

  #failed(action, key, seen, e) {
    const mayPass = MAY_PASS.includes(e.status ?? 0);
    this.problem = e.status === undefined ? `No answer: ${e.message}` : e.message;
    if (mayPass) this.again = { label: 'try again', send: () => this.#send(action, key, seen, MAX_RESENT) };
  }

  #close() {
    this.dispatchEvent(new CustomEvent('close-case', { bubbles: true }));
  }

  render() {
    return html`<dialog
      class="drawer"
      aria-label="Case"
      @close=${() => this.#close()}
      @click=${(e) => e.target === e.currentTarget && this.#close()}
    >
      ${this.caseId === null ? nothing : this.#body()}
    </dialog>`;
  }

  #body() {
    const c = this.shown;
    return html`<article>
      <header>
        <div class="drawer-title">
          ${c
            ? html`${statePill(c)} <strong class="big">${c.account}</strong>
                <span class="muted">score ${count(c.max_score)}</span>`
            : html`<strong class="big">Case</strong>`}
        </div>
        <button type="button" class="quiet" @click=${() => this.#close()}>close</button>
      </header>
      <div class="drawer-body">
        ${this.gone ? html`<p class="problem" role="alert">${this.gone}</p>` : nothing} ${this.#said()}
        ${c ? this.#facts(c) : this.gone ? nothing : html`<p class="muted">loading…</p>`}
      </div>
    </article>`;
  }

  #said() {
    if (this.problem) {
      return html`<div class="said problem" role="alert" tabindex="-1">
        ${this.problem}
        ${this.again
          ? html`<button type="button" class="quiet" ?disabled=${this.busy} @click=${() => this.again.send()}>${this.again.label}</button>
              <button type="button" class="quiet" @click=${() => ((this.problem = null), (this.again = null))}>leave it</button>`
          : nothing}
      </div>`;
    }
    return this.notice ? html`<div class="said" role="status" tabindex="-1">${this.notice}</div>` : nothing;
  }

  #facts(c) {
    const untold = Object.entries(c.suppressed).map(([reason, n]) => `${count(n)} ${reason}`);
    return html`<case-actions
        .shown=${c}
        .name=${this.name}
        .signedIn=${this.signedIn}
        .busy=${this.busy}
        @act=${(e) => this.#act(e.detail)}
      ></case-actions>
      <dl class="facts">
        ${fact('assignee', c.assignee ?? 'nobody')}
        ${fact('snoozed', c.snooze ? `until ${minute(usToMs(c.snooze.until_us))} by ${c.snooze.by}${c.snooze.reason ? `: ${c.snooze.reason}` : ''}` : 'no')}
        ${fact('alerts', count(c.alert_count) + (untold.length ? `, not sent: ${untold.join(', ')}` : ''))}
        ${fact('largest amount', amount(c.max_amount, c.currency))}
        ${fact('first alert', minute(usToMs(c.opened_at_us)))} ${fact('last alert', minute(usToMs(c.last_alert_at_us)))}
        ${fact('rules', c.rules.join(', '))} ${fact('policy', c.policy)}
        ${c.group_by === c.account ? nothing : fact('group', c.group_by)} ${fact('case', c.case_id)}
      </dl>
      <h3>History</h3>
      ${this.#history(c)}
      <h3>Alerts${c.alerts.length < c.alert_count ? `, the latest ${count(c.alerts.length)} of ${count(c.alert_count)}` : ''}</h3>
      ${this.#alerts(c)}`;
  }

  #history(c) {
    return html`<table class="plain history">
      <tbody>
        ${[...c.history].reverse().map(
          (entry) =>
            html`<tr>
              <td class="time" title=${dateTime(entry.at_ms)}>${minute(entry.at_ms)}</td>
              <td>${entry.by}</td>
              <td class=${entry.done === 'refused' ? 'warn' : ''}>${entry.done}</td>
              <td class="text">${entry.text ?? ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #alerts(c) {
    return html`<div class="scroll">
      <table class="plain case-alerts">
        <tbody>
          ${repeat(
            [...c.alerts].reverse(),
            (a) => a.alert_id,
            (a) =>
              html`<tr>
                <td class="time">
                  <button
                    type="button"
                    class="quiet"
                    title=${`${dateTime(usToMs(a.event_time_us))} ${a.source} ${a.event_id}: ${a.rules.join(', ')}`}
                    @click=${() => this.#openAlert(a)}
                  >
                    ${clock(usToMs(a.event_time_us))}
                  </button>
                </td>
                <td>${decisionPill(a.decision)}</td>
                <td class="number score">${count(a.score)}</td>
                <td class="number">${amount(a.amount, c.currency)}</td>
                <td>${told(a)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  async #openAlert(a) {
    try {
      const view = await get(`/alerts/${encodeURIComponent(a.alert_id)}`);
      this.dispatchEvent(new CustomEvent('open-alert', { detail: view, bubbles: true }));
    } catch (e) {
      this.problem = e.message;
    }
  }
}

function amount(text, currency) {
  return money(text === undefined ? undefined : Number(text), currency);
}

function told(a) {
  if (a.suppressed_by) return html`<span class="delivery suppressed">not sent: ${a.suppressed_by}</span>`;
  return a.escalation
    ? html`<span class="delivery delivered" title="worse than what had been sent shortly before">sent, worse</span>`
    : html`<span class="delivery delivered">sent</span>`;
}

function fact(name, text) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${text}</dd>
  </div>`;
}

customElements.define('case-details', CaseDetails);
