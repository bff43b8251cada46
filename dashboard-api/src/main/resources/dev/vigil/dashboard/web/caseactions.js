/** What can be done about a case, as buttons; and who does it. */
import { LitElement, html, nothing } from 'lit';

const SNOOZES = [
  ['1h', '1 hour'],
  ['4h', '4 hours'],
  ['1d', '1 day'],
  ['7d', '7 days'],
  ['until', 'until…'],
];

class CaseActions extends LitElement {
  static properties = {
    shown: { attribute: false },
    name: { attribute: false },
    signedIn: { attribute: false },
    busy: { attribute: false },
    note: { state: true },
    assignee: { state: true },
    snooze: { state: true },
    until: { state: true },
  };

  constructor() {
    super();
    this.shown = null;
    this.name = '';
    this.signedIn = false;
    this.busy = false;
    this.note = '';
    this.assignee = '';
    this.snooze = '4h';
    this.until = '';
  }

  createRenderRoot() {
    return this;
  }

  /** What was written is in the case now. */
  done(action) {
    if (action.note !== undefined) this.note = '';
    if (action.action === 'assign') this.assignee = '';
  }

  #act(action, more = {}) {
    const note = this.note.trim();
    const detail = { action, ...more, ...(note ? { note } : {}) };
    this.dispatchEvent(new CustomEvent('act', { detail }));
  }

  #snooze() {
    this.#act('snooze', this.snooze === 'until' ? { until: new Date(this.until).toISOString() } : { for: this.snooze });
  }

  render() {
    return this.name ? this.#actions(this.shown) : this.#who();
  }

  /** Asked once; kept by whoever listens. */
  #who() {
    const use = (e) => {
      e.preventDefault();
      const name = e.target.elements.name.value.trim();
      if (name) this.dispatchEvent(new CustomEvent('name-given', { detail: name, bubbles: true }));
    };
    return html`<form class="acting" @submit=${use}>
      <label>
        Your name, as the history is to show it. It is kept in this browser.
        <input name="name" type="text" maxlength="100" autocomplete="name" required />
      </label>
      <div class="buttons"><button type="submit">use this name</button></div>
    </form>`;
  }

  #actions(c) {
    const isClosed = c.state === 'closed';
    return html`<section class="acting" aria-label="Actions">
      <textarea
        rows="2"
        maxlength="4000"
        placeholder="note, or the reason for what you do"
        aria-label="Note, or the reason for what you do"
        .value=${this.note}
        @input=${(e) => (this.note = e.target.value)}
      ></textarea>
      <div class="buttons">
        ${c.state === 'open' ? this.#button('acknowledge', () => this.#act('acknowledge')) : nothing}
        ${isClosed ? this.#button('reopen', () => this.#act('reopen')) : nothing}
        ${this.#button('add note', () => this.#act('note'), this.note.trim() === '')}
        ${c.assignee === this.name ? nothing : this.#button('assign to me', () => this.#act('assign', { assignee: this.name }))}
        ${c.assignee ? this.#button('unassign', () => this.#act('assign', { assignee: null })) : nothing}
      </div>
      <div class="buttons">
        <span class="muted">${isClosed ? 'close as something else:' : 'close as'}</span>
        ${['fraud', 'legitimate', 'unsure']
          .filter((d) => d !== c.disposition)
          .map((disposition) => this.#button(disposition, () => this.#act('close', { disposition }), false, disposition))}
      </div>
      ${isClosed ? nothing : this.#snoozing(c)}
      <form class="buttons" @submit=${(e) => (e.preventDefault(), this.#act('assign', { assignee: this.assignee.trim() }))}>
        <span class="muted">assign to</span>
        <input
          type="text"
          maxlength="100"
          aria-label="Assign to"
          .value=${this.assignee}
          @input=${(e) => (this.assignee = e.target.value)}
        />
        <button type="submit" class="quiet" ?disabled=${this.busy || this.assignee.trim() === ''}>assign</button>
      </form>
      <p class="muted note">
        ${this.signedIn ? 'Signed in as' : 'Acting as'} <b>${this.name}</b>
        ${this.signedIn
          ? nothing
          : html`<button
              type="button"
              class="quiet"
              @click=${() => this.dispatchEvent(new CustomEvent('name-given', { detail: '', bubbles: true }))}
            >
              change
            </button>`}
      </p>
    </section>`;
  }

  #snoozing(c) {
    const isUntil = this.snooze === 'until';
    return html`<div class="buttons">
      <span class="muted">snooze for</span>
      <select aria-label="Snooze for" @change=${(e) => (this.snooze = e.target.value)}>
        ${SNOOZES.map(([value, label]) => html`<option value=${value} ?selected=${this.snooze === value}>${label}</option>`)}
      </select>
      ${isUntil
        ? html`<input type="datetime-local" aria-label="Snooze until" .value=${this.until} @input=${(e) => (this.until = e.target.value)} />`
        : nothing}
      ${this.#button('snooze', () => this.#snooze(), isUntil && Number.isNaN(Date.parse(this.until)))}
      ${c.snooze ? this.#button('end snooze', () => this.#act('unsnooze')) : nothing}
    </div>`;
  }

  #button(label, act, isDisabled = false, kind = '') {
    return html`<button type="button" class="quiet ${kind}" ?disabled=${this.busy || isDisabled} @click=${act}>${label}</button>`;
  }
}

customElements.define('case-actions', CaseActions);
