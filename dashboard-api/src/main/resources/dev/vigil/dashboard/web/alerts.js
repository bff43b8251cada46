/** The feed of alerts, and one alert in full. Everything that came from outside is put into the page as text. */
import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { get } from './api.js';
import { explained } from './explain.js';
import { clock, count, dateTime, ms, money, value } from './format.js';
import { caseOf, remember, whySuppressed } from './knowncases.js';

const DELIVERY = {
  pending: 'pending',
  delivered: 'delivered',
  retrying: 'retrying',
  given_up: 'given up',
  suppressed: 'suppressed',
};

export function decisionPill(decision) {
  const known = ['approve', 'review', 'decline'].includes(decision) ? decision : 'unknown';
  return html`<span class="pill ${known}">${decision}</span>`;
}

const usToMs = (us) => (us === null || us === undefined ? us : us / 1_000);

function deliveredAfter(view) {
  const latencies = view.delivery.endpoints.filter((e) => e.outcome === 'delivered').map((e) => e.latency_ms);
  return latencies.length ? Math.max(...latencies) : null;
}

function deliveryMark(view) {
  const { state } = view.delivery;
  const latency = deliveredAfter(view);
  return html`<span class="delivery ${state}">${DELIVERY[state] ?? state}</span>
    ${state === 'delivered' && latency !== null ? html`<small class="muted">${ms(latency)}</small>` : nothing}`;
}

class AlertFeed extends LitElement {
  static properties = {
    alerts: { attribute: false },
    decision: { state: true },
    account: { state: true },
    frozen: { state: true },
  };

  constructor() {
    super();
    this.alerts = [];
    this.decision = 'all';
    this.account = '';
    this.frozen = null;
  }

  createRenderRoot() {
    return this;
  }

  #shown() {
    const wanted = this.account.trim().toLowerCase();
    return (this.frozen ?? this.alerts).filter(
      ({ alert }) =>
        (this.decision === 'all' || alert.decision === this.decision) &&
        (wanted === '' || alert.account.toLowerCase().includes(wanted)),
    );
  }

  render() {
    const shown = this.#shown();
    return html`<article class="panel feed">
      <header class="panel-head">
        <h2>Alerts</h2>
        <div class="controls">
          <div class="segments" role="group" aria-label="Decision">
            ${['all', 'decline', 'review'].map(
              (d) =>
                html`<button type="button" aria-pressed=${this.decision === d} @click=${() => (this.decision = d)}>
                  ${d}
                </button>`,
            )}
          </div>
          <input
            type="search"
            placeholder="account"
            aria-label="Filter by account"
            .value=${this.account}
            @input=${(e) => (this.account = e.target.value)}
          />
          <button
            type="button"
            class="quiet"
            aria-pressed=${this.frozen !== null}
            @click=${() => (this.frozen = this.frozen ? null : this.alerts)}
          >
            ${this.frozen ? 'resume' : 'pause'}
          </button>
        </div>
      </header>
      ${shown.length === 0 ? this.#empty() : this.#table(shown)}
    </article>`;
  }

  #empty() {
    return html`<p class="empty">
      ${this.alerts.length === 0 ? 'No alert yet. They appear here the moment they are raised.' : 'No alert matches.'}
    </p>`;
  }

  #table(shown) {
    return html`<div class="scroll">
      <table class="alerts">
        <thead>
          <tr>
            <th>time</th>
            <th>decision</th>
            <th class="number">score</th>
            <th>account</th>
            <th class="number">amount</th>
            <th class="wide">why</th>
            <th>webhook</th>
            <th>case</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            shown,
            (view) => view.alert.alert_id,
            (view) => this.#row(view),
          )}
        </tbody>
      </table>
    </div>`;
  }

  #row(view) {
    const { alert } = view;
    const reasons = alert.rules.map((hit) => hit.reason || hit.rule).join(' · ');
    const open = () => this.dispatchEvent(new CustomEvent('open-alert', { detail: view, bubbles: true }));
    const onKey = (e) => {
      if (e.key === 'Enter' || e.key === ' ') {
        e.preventDefault();
        open();
      }
    };
    return html`<tr class=${view.arrived ? 'arrived' : ''} tabindex="0" @click=${open} @keydown=${onKey}>
      <td class="time" title=${dateTime(usToMs(alert.event_time_us))}>${clock(usToMs(alert.event_time_us))}</td>
      <td>${decisionPill(alert.decision)}</td>
      <td class="number score">${count(alert.score)}</td>
      <td class="id">${alert.account}</td>
      <td class="number">${money(alert.fields?.amount, alert.currency)}</td>
      <td class="wide"><div class="why" title=${reasons}>${reasons}</div></td>
      <td class="nowrap" title=${view.delivery.suppressed_by ?? ''}>${deliveryMark(view)}</td>
      <td>${this.#case(view)}</td>
    </tr>`;
  }

  #case(view) {
    const id = caseOf(view);
    if (id === null) return nothing;
    const open = (e) => {
      e.stopPropagation();
      this.dispatchEvent(new CustomEvent('open-case', { detail: id, bubbles: true }));
    };
    return html`<button type="button" class="quiet" @click=${open} @keydown=${(e) => e.stopPropagation()}>case</button>`;
  }
}

class AlertDetails extends LitElement {
  static properties = {
    view: { attribute: false },
    events: { state: true },
    problem: { state: true },
    explanation: { state: true },
    inCase: { state: true },
    unexplained: { state: true },
  };

  #loadedFor = null;
  #explainedFor = null;

  createRenderRoot() {
    return this;
  }

  willUpdate() {
    const account = this.view?.alert.account ?? null;
    if (account !== this.#loadedFor) {
      this.#loadedFor = account;
      this.events = null;
      this.problem = null;
      if (account !== null) this.#load(account);
    }
    const alert = this.view?.alert ?? null;
    if ((alert?.alert_id ?? null) !== this.#explainedFor) {
      this.#explainedFor = alert?.alert_id ?? null;
      this.explanation = null;
      this.unexplained = null;
      this.inCase = null;
      if (alert !== null) {
        this.#explain(alert);
        this.#findCase(this.view);
      }
    }
  }

  updated() {
    const dialog = this.querySelector('dialog');
    if (this.view && !dialog.open) dialog.showModal();
    if (!this.view && dialog.open) dialog.close();
  }

  async #load(account) {
    try {
      const { events } = await get('/scored/recent', { account, limit: 20 });
      if (account === this.#loadedFor) this.events = events;
    } catch (e) {
      if (account === this.#loadedFor) this.problem = e.message;
    }
  }

  async #explain(alert) {
    const { account, event_id: id, source } = alert;
    try {
      const explanation = await get('/events/explain', { account, id, source });
      if (alert.alert_id === this.#explainedFor) this.explanation = explanation;
    } catch (e) {
      if (alert.alert_id === this.#explainedFor) this.unexplained = e.message;
    }
  }

  /** Where it is not known already: among the cases of its account. */
  async #findCase(view) {
    const { alert_id: id, account } = view.alert;
    let found = caseOf(view);
    if (found === null) {
      try {
        remember((await get('/cases', { account, limit: 50 })).cases);
        found = caseOf(view);
      } catch {
        // The alert is shown all the same; the list of cases says why there are none.
      }
    }
    if (id === this.#explainedFor) this.inCase = found;
  }

  #case() {
    const id = this.inCase;
    if (!id) return html`<p class="muted">None that is known here.</p>`;
    const open = () => this.dispatchEvent(new CustomEvent('open-case', { detail: id, bubbles: true }));
    return html`<button type="button" class="quiet" @click=${open}>open case ${id}</button>`;
  }

  #close() {
    this.dispatchEvent(new CustomEvent('close-alert', { bubbles: true }));
  }

  render() {
    return html`<dialog
      class="drawer"
      aria-label="Alert"
      @close=${() => this.#close()}
      @click=${(e) => e.target === e.currentTarget && this.#close()}
    >
      ${this.view ? this.#body(this.view) : nothing}
    </dialog>`;
  }

  #body(view) {
    const { alert } = view;
    return html`<article>
      <header>
        <div class="drawer-title">
          ${decisionPill(alert.decision)}
          <strong class="big">${money(alert.fields?.amount, alert.currency)}</strong>
          <span class="muted">score ${count(alert.score)}</span>
        </div>
        <button type="button" class="quiet" @click=${() => this.#close()}>close</button>
      </header>
      <div class="drawer-body">
        <dl class="facts">
          ${this.#fact('account', alert.account)} ${this.#fact('event', `${alert.type} ${alert.event_id}`)}
          ${this.#fact('event time', dateTime(usToMs(alert.event_time_us)))}
          ${this.#fact('reached Vigil', dateTime(alert.ingest_time_ms))}
          ${this.#fact('policy', `${alert.policy} version ${alert.policy_version}`)}
          ${this.#fact('alert', alert.alert_id)} ${this.#fact('source', alert.source)}
          ${this.#fact('position', `partition ${alert.position.partition}, offset ${alert.position.offset}`)}
        </dl>
        <h3>Rules</h3>
        ${alert.rules.map((hit) => this.#rule(hit))}
        <h3>Event</h3>
        <dl class="facts">${Object.entries(alert.fields ?? {}).map(([name, v]) => this.#fact(name, value(v)))}</dl>
        <h3>Features and what they are made of</h3>
        ${explained(this.explanation, this.unexplained)}
        <h3>Delivery</h3>
        ${this.#delivery(view.delivery)}
        <h3>Case</h3>
        ${this.#case()}
        <h3>Recent events of this account</h3>
        ${this.#recent(alert)}
      </div>
    </article>`;
  }

  #fact(name, text) {
    return html`<div>
      <dt>${name}</dt>
      <dd>${text}</dd>
    </div>`;
  }

  #rule(hit) {
    return html`<div class="rule">
      <div class="rule-head">
        <span>${hit.reason || hit.rule}</span><span class="points">+${count(hit.score)}</span>
      </div>
      <div class="rule-values">
        <code>${hit.rule}</code>
        ${Object.entries(hit.values ?? {}).map(([name, v]) => html`<span>${name} <b>${value(v)}</b></span>`)}
      </div>
    </div>`;
  }

  #delivery(delivery) {
    if (delivery.state === 'suppressed') {
      return html`<p class="muted">Not sent: ${whySuppressed(delivery)}.</p>`;
    }
    if (delivery.endpoints.length === 0) return html`<p class="muted">No attempt so far.</p>`;
    return html`<table class="plain">
      <tbody>
        ${delivery.endpoints.map(
          (a) =>
            html`<tr>
              <td>${a.endpoint}</td>
              <td><span class="delivery ${a.outcome === 'failed' ? 'retrying' : a.outcome}">${a.outcome.replace('_', ' ')}</span></td>
              <td>attempt ${a.attempt}${a.status_code ? `, HTTP ${a.status_code}` : ''}</td>
              <td class="number" title="from ingest to the end of this attempt">${ms(a.latency_ms)}</td>
              <td class="muted">${a.detail ?? ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #recent(alert) {
    if (this.problem) return html`<p class="problem">${this.problem}</p>`;
    if (this.events === null || this.events === undefined) return html`<p class="muted">loading…</p>`;
    if (this.events.length === 0) return html`<p class="muted">None among the recent events kept in memory.</p>`;
    return html`<table class="plain">
      <tbody>
        ${this.events.map(
          (e) =>
            html`<tr class=${e.event_id === alert.event_id ? 'this-event' : ''}>
              <td class="time" title=${dateTime(usToMs(e.event_time_us))}>${clock(usToMs(e.event_time_us))}</td>
              <td>${e.type}</td>
              <td class="number">${money(e.fields?.amount, alert.currency)}</td>
              <td class="number">${count(e.score)}</td>
              <td>${decisionPill(e.decision)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define('alert-feed', AlertFeed);
customElements.define('alert-details', AlertDetails);
