/** Records that could not be used. Everything that came from outside is put into the page as text. */
import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { get, post } from './api.js';
import { bytes, clock, count, dateTime } from './format.js';

const PAGE = 20;
/** Not more often than that, however fast the figure of dead letters moves. */
const REFRESH_MS = 5_000;

class DeadLetterList extends LitElement {
  static properties = {
    total: { attribute: false },
    letters: { state: true },
    next: { state: true },
    problem: { state: true },
    opened: { state: true },
    view: { state: true },
    busy: { state: true },
  };

  #loadedAtMs = -Infinity;
  #loadedTotal = null;
  #timer = null;

  constructor() {
    super();
    this.total = null;
    this.letters = null;
    this.next = null;
    this.problem = null;
    this.opened = null;
    this.view = null;
    this.busy = null;
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  willUpdate() {
    const isNew = this.total !== this.#loadedTotal || this.letters === null;
    if (!isNew || this.#timer !== null) return;
    const waitMs = Math.max(0, this.#loadedAtMs + REFRESH_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#load();
    }, waitMs);
  }

  async #load() {
    this.#loadedAtMs = performance.now();
    this.#loadedTotal = this.total;
    try {
      const page = await get('/dead-letters', { limit: PAGE });
      this.letters = page.letters;
      this.next = page.next ?? null;
      this.problem = null;
    } catch (e) {
      this.letters ??= [];
      this.problem = e.message;
    }
  }

  async #more() {
    try {
      const page = await get('/dead-letters', { limit: PAGE, cursor: this.next });
      const known = new Set(this.letters.map((letter) => letter.position));
      this.letters = [...this.letters, ...page.letters.filter((letter) => !known.has(letter.position))];
      this.next = page.next ?? null;
      this.problem = null;
    } catch (e) {
      this.problem = e.message;
    }
  }

  async #retry(letter) {
    if (this.busy) return;
    this.busy = letter.position;
    try {
      const { into } = await post(`/dead-letters/${letter.partition}/${letter.offset}/retry`, {});
      this.letters = this.letters.map((l) => (l.position === letter.position ? { ...l, retried: { into } } : l));
      this.problem = null;
    } catch (e) {
      this.problem = e.message;
    }
    this.busy = null;
  }

  async #toggle(letter) {
    this.view = null;
    this.opened = this.opened === letter.position ? null : letter.position;
    if (this.opened === null) return;
    try {
      const view = await get(`/dead-letters/${letter.partition}/${letter.offset}`);
      if (this.opened === letter.position) this.view = view;
    } catch (e) {
      this.problem = e.message;
    }
  }

  render() {
    if (this.letters === null) return nothing;
    return html`<article class="panel">
      <header class="panel-head">
        <h2>Dead letters</h2>
        <div class="controls">
          <button type="button" class="quiet" @click=${() => this.#load()}>refresh</button>
        </div>
      </header>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.letters.length === 0 && !this.next ? html`<p class="empty">None. Every record could be used.</p>` : this.#table()}
    </article>`;
  }

  #table() {
    return html`<div class="scroll">
        <table class="plain letters">
          <thead>
            <tr>
              <th>set aside</th>
              <th>position</th>
              <th>reason</th>
              <th>by</th>
              <th class="wide">detail</th>
              <th></th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              this.letters,
              (letter) => letter.position,
              (letter) => html`${this.#row(letter)} ${this.opened === letter.position ? this.#details(letter) : nothing}`,
            )}
          </tbody>
        </table>
      </div>
      ${this.next
        ? html`<button type="button" class="quiet" @click=${() => this.#more()}>older</button>`
        : nothing}`;
  }

  #row(letter) {
    return html`<tr>
      <td class="time" title=${dateTime(letter.at_ms)}>${clock(letter.at_ms)}</td>
      <td class="id">
        <button type="button" class="quiet" aria-expanded=${this.opened === letter.position} @click=${() => this.#toggle(letter)}>
          ${letter.position}
        </button>
      </td>
      <td class="nowrap">${letter.reason}</td>
      <td class="nowrap muted">${letter.stage}</td>
      <td class="wide">${letter.detail}</td>
      <td class="nowrap">${this.#action(letter)}</td>
    </tr>`;
  }

  #action(letter) {
    if (letter.not_retryable) return html`<small class="muted" title=${letter.not_retryable}>cannot be retried</small>`;
    return html`${letter.retried
        ? html`<small class="muted" title=${`${letter.retried.into}${letter.retried.at_ms ? `, ${dateTime(letter.retried.at_ms)}` : ''}`}>
            retried
          </small>`
        : nothing}
      <button type="button" class="quiet" ?disabled=${this.busy !== null} @click=${() => this.#retry(letter)}>
        ${letter.retried ? 'retry again' : 'retry'}
      </button>`;
  }

  #details(letter) {
    return html`<tr>
      <td colspan="6">${this.view ? this.#facts(this.view) : html`<p class="muted">loading…</p>`}</td>
    </tr>`;
  }

  #facts({ letter, key, headers, value }) {
    return html`<dl class="facts">
        ${fact('came from', letter.origin ?? 'no record')} ${fact('key', readable(key))}
        ${headers.map((header) => fact(header.name, readable(header.value)))}
        ${fact('value', value ? bytes(value.bytes) : 'none')}
      </dl>
      ${value
        ? html`<pre class="bytes">${readable(value)}</pre>
            ${value.truncated ? html`<p class="muted">The first part of ${count(value.bytes)} bytes.</p>` : nothing}`
        : nothing}`;
  }
}

function readable(value) {
  return value ? (value.text ?? `hex ${value.hex}`) : 'none';
}

function fact(name, text) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${text}</dd>
  </div>`;
}

customElements.define('dead-letter-list', DeadLetterList);
