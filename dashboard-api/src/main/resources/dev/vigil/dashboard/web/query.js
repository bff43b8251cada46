/** SQL over history. */
import { LitElement, html, nothing } from 'lit';
import { post } from './api.js';
import { count, ms } from './format.js';

const EXAMPLES = [
  ['decisions', 'SELECT decision, count(*) AS events\nFROM scored_events\nGROUP BY decision\nORDER BY events DESC'],
  [
    'accounts with most alerts',
    'SELECT account, count(*) AS alerts, max(score) AS top_score\nFROM alerts\nGROUP BY account\nORDER BY alerts DESC\nLIMIT 20',
  ],
  ['latest alerts', 'SELECT event_time, account, decision, score, event_fields\nFROM alerts\nORDER BY event_time DESC\nLIMIT 50'],
  [
    'slowest webhooks',
    "SELECT endpoint, outcome, count(*) AS attempts,\n       round(avg(duration_ms), 1) AS mean_ms, max(duration_ms) AS max_ms\nFROM deliveries\nGROUP BY ALL\nORDER BY max_ms DESC",
  ],
];

class HistoryQuery extends LitElement {
  static properties = {
    sql: { state: true },
    result: { state: true },
    problem: { state: true },
    running: { state: true },
  };

  constructor() {
    super();
    this.sql = EXAMPLES[0][1];
    this.result = null;
    this.problem = null;
    this.running = false;
  }

  createRenderRoot() {
    return this;
  }

  async #run() {
    if (this.running) return;
    this.running = true;
    this.problem = null;
    try {
      this.result = await post('/query', { sql: this.sql });
    } catch (e) {
      this.result = null;
      this.problem = e.message;
    }
    this.running = false;
  }

  render() {
    return html`<article class="panel query">
      <header class="panel-head">
        <h2>Query history</h2>
        <div class="controls">
          ${EXAMPLES.map(
            ([name, sql]) =>
              html`<button type="button" class="quiet" @click=${() => (this.sql = sql)}>${name}</button>`,
          )}
        </div>
      </header>
      <textarea
        rows="5"
        spellcheck="false"
        aria-label="SQL"
        .value=${this.sql}
        @input=${(e) => (this.sql = e.target.value)}
        @keydown=${(e) => (e.ctrlKey || e.metaKey) && e.key === 'Enter' && this.#run()}
      ></textarea>
      <div class="query-actions">
        <button type="button" ?disabled=${this.running} aria-busy=${this.running} @click=${() => this.#run()}>
          Run
        </button>
        <small class="muted">Ctrl+Enter</small>
        ${this.result ? this.#summary(this.result) : nothing}
      </div>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.result ? this.#table(this.result) : nothing}
    </article>`;
  }

  #summary(result) {
    return html`<small class="muted">
      ${count(result.rows.length)} ${result.rows.length === 1 ? 'row' : 'rows'}${result.truncated ? ' (there are more)' : ''}
      in ${ms(result.elapsed_ms)}
    </small>`;
  }

  #table(result) {
    const numeric = result.columns.map((c, i) => result.rows.every((row) => row[i] === null || typeof row[i] === 'number'));
    return html`<div class="scroll result">
      <table class="plain">
        <thead>
          <tr>
            ${result.columns.map((c, i) => html`<th class=${numeric[i] ? 'number' : ''} title=${c.type}>${c.name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${result.rows.map(
            (row) =>
              html`<tr>
                ${row.map(
                  (cell, i) =>
                    html`<td class=${numeric[i] ? 'number' : ''}>
                      ${cell === null ? html`<span class="muted">null</span>` : String(cell)}
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

customElements.define('history-query', HistoryQuery);
