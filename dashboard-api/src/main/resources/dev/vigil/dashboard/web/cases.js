/** Cases: alerts that belong together, to be worked off. Everything that came from outside is put into the page as text. */
import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { get } from './api.js';
import { clock, count, dateTime, minute, money } from './format.js';
import { remember, statePill } from './knowncases.js';

const PAGE = 20;
/** The most that is asked for at once; a longer list is not refreshed by itself. */
const MAX_AT_ONCE = 200;
const REFRESH_MS = 5_000;
const TYPING_MS = 300;
/** Pages may be short where few of many cases are wanted. */
const MAX_PAGES = 10;

const usToMs = (us) => us / 1_000;
const isToday = (ms, nowMs) => new Date(ms).toDateString() === new Date(nowMs).toDateString();

class CaseList extends LitElement {
  static properties = {
    name: { attribute: false },
    nowMs: { attribute: false },
    cases: { state: true },
    next: { state: true },
    problem: { state: true },
    state: { state: true },
    assignee: { state: true },
    account: { state: true },
  };

  #asked = 0;
  #typing = null;
  #timer = null;

  constructor() {
    super();
    this.name = '';
    this.nowMs = Date.now();
    this.cases = null;
    this.next = null;
    this.problem = null;
    this.state = 'open';
    this.assignee = '';
    this.account = '';
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.refresh();
    this.#timer = setInterval(() => {
      if (!document.hidden && (this.cases?.length ?? 0) <= MAX_AT_ONCE) this.refresh();
    }, REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    clearTimeout(this.#typing);
  }

  /** Also called by whoever changed a case. */
  refresh() {
    return this.#load(Math.min(MAX_AT_ONCE, Math.max(PAGE, this.cases?.length ?? 0)), [], null);
  }

  #filtered(change) {
    change();
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#load(PAGE, [], null), TYPING_MS);
  }

  #more() {
    return this.#load(this.cases.length + PAGE, this.cases, this.next);
  }

  /** Answers that come after a later question was asked are of no interest. */
  async #load(wanted, before, from) {
    const asked = ++this.#asked;
    const found = new Map(before.map((c) => [c.case_id, c]));
    let next = from;
    try {
      for (let page = 0; page < MAX_PAGES && found.size < wanted && (page === 0 || next); page++) {
        const answer = await get('/cases', this.#parameters(wanted - found.size, next));
        if (asked !== this.#asked) return;
        answer.cases.forEach((c) => found.set(c.case_id, c));
        next = answer.next ?? null;
      }
      this.cases = [...found.values()];
      this.next = next;
      this.problem = null;
      remember(this.cases);
    } catch (e) {
      if (asked === this.#asked) this.problem = e.message;
    }
  }

  #parameters(limit, after) {
    const parameters = { limit: Math.min(MAX_AT_ONCE, limit) };
    if (this.state !== 'all') parameters.state = this.state;
    if (this.assignee.trim()) parameters.assignee = this.assignee.trim();
    if (this.account.trim()) parameters.account = this.account.trim();
    if (after) parameters.after = after;
    return parameters;
  }

  render() {
    const isMine = this.name !== '' && this.assignee === this.name;
    return html`<article class="panel" id="cases">
      <header class="panel-head">
        <h2>Cases</h2>
        <div class="controls">
          <div class="segments" role="group" aria-label="State">
            ${['open', 'closed', 'all'].map(
              (s) =>
                html`<button type="button" aria-pressed=${this.state === s} @click=${() => this.#filtered(() => (this.state = s))}>
                  ${s}
                </button>`,
            )}
          </div>
          ${this.name
            ? html`<button
                type="button"
                class="quiet"
                aria-pressed=${isMine}
                @click=${() => this.#filtered(() => (this.assignee = isMine ? '' : this.name))}
              >
                mine
              </button>`
            : nothing}
          ${this.#search('assignee', 'Filter cases by assignee')} ${this.#search('account', 'Filter cases by account')}
        </div>
      </header>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing} ${this.#body()}
    </article>`;
  }

  #search(key, label) {
    return html`<input
      type="search"
      placeholder=${key}
      aria-label=${label}
      .value=${this[key]}
      @input=${(e) => this.#filtered(() => (this[key] = e.target.value))}
    />`;
  }

  #body() {
    if (this.cases === null) return this.problem ? nothing : html`<p class="empty">loading…</p>`;
    if (this.cases.length === 0 && !this.next) {
      const isNarrowed = this.state === 'closed' || this.assignee.trim() || this.account.trim();
      return html`<p class="empty">${isNarrowed ? 'No case matches.' : 'No case. The first alert of a group opens one.'}</p>`;
    }
    return html`<div class="scroll case-table">
        <table class="alerts">
          <thead>
            <tr>
              <th>state</th>
              <th>account</th>
              <th class="number">score</th>
              <th class="number">amount</th>
              <th class="number">alerts</th>
              <th class="wide">rules</th>
              <th>last alert</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              this.cases,
              (c) => c.case_id,
              (c) => this.#row(c),
            )}
          </tbody>
        </table>
      </div>
      ${this.next ? html`<button type="button" class="quiet" @click=${() => this.#more()}>older</button>` : nothing}`;
  }

  #row(c) {
    const open = () =>
      this.dispatchEvent(new CustomEvent('open-case', { detail: c.case_id, bubbles: true, composed: true }));
    const onKey = (e) => {
      if (e.key === 'Enter' || e.key === ' ') {
        e.preventDefault();
        open();
      }
    };
    const lastMs = usToMs(c.last_alert_at_us);
    const untold = Object.values(c.suppressed).reduce((sum, n) => sum + n, 0);
    return html`<tr tabindex="0" @click=${open} @keydown=${onKey}>
      <td>
        ${statePill(c)}
        ${c.snooze ? html`<small class="muted" title=${`until ${dateTime(usToMs(c.snooze.until_us))} by ${c.snooze.by}`}>snoozed</small>` : nothing}
        ${c.assignee ? html`<small class="assignee">${c.assignee}</small>` : nothing}
      </td>
      <td class="id">${c.account}${c.group_by === c.account ? nothing : html` <small class="muted">${c.group_by}</small>`}</td>
      <td class="number score">${count(c.max_score)}</td>
      <td class="number">${money(c.max_amount === undefined ? undefined : Number(c.max_amount), c.currency)}</td>
      <td class="number" title=${untold ? `${count(untold)} of them were not sent` : ''}>
        ${count(c.alert_count)}${untold ? html` <small class="muted unsent">${count(untold)} unsent</small>` : nothing}
      </td>
      <td class="wide"><div class="why" title=${c.rules.join(' · ')}>${c.rules.join(' · ')}</div></td>
      <td class="when" title=${dateTime(lastMs)}>${isToday(lastMs, this.nowMs) ? clock(lastMs) : minute(lastMs)}</td>
    </tr>`;
  }
}

customElements.define('case-list', CaseList);
