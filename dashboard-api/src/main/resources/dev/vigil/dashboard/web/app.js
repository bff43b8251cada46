/** The page. */
import { LitElement, html, nothing } from 'lit';
import { chosenTheme, nextTheme } from './theme.js';
import { store } from './store.js';
import { get } from './api.js';
import { count, ms, rate, span, UNKNOWN, dateTime, roughlyAgo } from './format.js';
import { keepName, keptName } from './analyst.js';
import { capture, counts, endpoints, history as historyPanel, incomplete, partitions, services } from './system.js';
import './alerts.js';
import './casedetails.js';
import './cases.js';
import './charts.js';
import './deadletters.js';
import './query.js';

const CONNECTION = {
  connecting: 'connecting',
  live: 'live',
  stale: 'no news',
  reconnecting: 'reconnecting',
};

const THROUGHPUT = [
  { key: 'events_per_second', label: 'events/s', colour: '--v-accent', fill: '--v-accent-soft', format: rate },
  { key: 'alerts_per_second', label: 'alerts/s', colour: '--v-decline', fill: '--v-decline', scale: 'z', bars: true, width: 0, format: rate },
];
const LATENCY = [
  { key: 'decision_ms_p50', label: 'decision p50', colour: '--v-accent', format: ms },
  { key: 'decision_ms_p99', label: 'decision p99', colour: '--v-accent-mid', format: ms },
  { key: 'delivery_ms_p50', label: 'webhook p50', colour: '--v-second', format: ms },
  { key: 'delivery_ms_p99', label: 'webhook p99', colour: '--v-second-mid', format: ms },
];

class VigilApp extends LitElement {
  static properties = {
    theme: { state: true },
    opened: { state: true },
    openedCase: { state: true },
    name: { state: true },
    info: { state: true },
  };

  constructor() {
    super();
    this.theme = chosenTheme();
    this.opened = null;
    this.openedCase = caseInAddress();
    this.name = keptName();
    this.info = null;
    addEventListener('hashchange', () => (this.openedCase = caseInAddress()));
    store.subscribe(() => this.requestUpdate());
    store.start();
    this.#askInfo();
  }

  createRenderRoot() {
    return this;
  }

  async #askInfo() {
    try {
      this.info = await get('/info');
    } catch {
      setTimeout(() => this.#askInfo(), 5_000);
    }
  }

  render() {
    return html`${this.#head()}
      <main>
        ${this.#tiles(store.snapshot ?? {})}
        ${this.#charts()}
        <div class="columns">
          <div class="main-column">
            <alert-feed
              .alerts=${store.alerts}
              @open-alert=${(e) => this.#openAlert(e.detail)}
              @open-case=${(e) => this.#openCase(e.detail)}
            ></alert-feed>
          </div>
          <div class="side-column">${store.snapshot ? this.#system(store.snapshot) : nothing}</div>
        </div>
        ${this.#can('cases')
          ? html`<case-list
              .name=${this.#who()}
              .nowMs=${store.nowMs()}
              @open-case=${(e) => this.#openCase(e.detail)}
            ></case-list>`
          : nothing}
        ${this.#can('dead-letters')
          ? html`<dead-letter-list .total=${deadLettered(store.snapshot)}></dead-letter-list>`
          : nothing}
        ${this.#can('history') ? html`<history-query></history-query>` : nothing}
      </main>
      <case-details
        .caseId=${this.openedCase}
        .name=${this.#who()}
        .signedIn=${this.info?.user !== undefined}
        @close-case=${() => this.#openCase(null)}
        @case-changed=${() => this.querySelector('case-list')?.refresh()}
        @name-given=${(e) => this.#named(e.detail)}
        @open-alert=${(e) => this.#openAlert(e.detail)}
      ></case-details>
      <alert-details
        .view=${this.#openedView()}
        @close-alert=${() => (this.opened = null)}
        @open-case=${(e) => this.#openCase(e.detail)}
      ></alert-details>`;
  }

  #can(capability) {
    return this.info?.capabilities?.includes(capability);
  }

  #who() {
    return this.info?.user ?? this.name;
  }

  #named(name) {
    this.name = name;
    keepName(name);
  }

  #openAlert(view) {
    this.#last = view;
    this.opened = view.alert.alert_id;
  }

  /** The address names the opened case, so that it can be passed on. */
  #openCase(id) {
    this.openedCase = id;
    if (id !== null) this.opened = null;
    history.replaceState(null, '', id === null ? location.pathname + location.search : `#case=${encodeURIComponent(id)}`);
  }

  #openedView() {
    return this.opened === null ? null : (store.alerts.find((v) => v.alert.alert_id === this.opened) ?? this.#last);
  }

  /** An opened alert stays in view when newer ones push it off the list. */
  #last = null;

  willUpdate() {
    const found = store.alerts.find((v) => v.alert.alert_id === this.opened);
    if (found || this.opened === null) this.#last = found ?? null;
  }

  #head() {
    const { snapshot, connection } = store;
    return html`<header class="top">
      <div class="brand">
        <img src="./assets/favicon.svg" alt="" width="26" height="26" />
        <h1>Vigil</h1>
        ${snapshot?.policy
          ? html`<span class="policy">${snapshot.policy} <span class="muted">v${snapshot.policy_version}</span></span>`
          : nothing}
      </div>
      <nav class="tools">
        <span class="connection ${connection}" role="status"><span class="dot"></span>${CONNECTION[connection]}</span>
        ${this.#can('cases') ? html`<a href="#cases">Cases</a>` : nothing}
        <a href="./docs">API</a>
        <button type="button" class="quiet" title="light, dark or as the system" @click=${() => (this.theme = nextTheme())}>
          ${this.theme === 'auto' ? 'auto theme' : this.theme}
        </button>
      </nav>
    </header>`;
  }

  #tiles(s) {
    const decision = s.decision_latency?.recent ?? s.decision_latency?.total;
    const delivery = s.delivery_latency?.recent ?? s.delivery_latency?.total;
    const now = store.nowMs();
    const delay = s.watermark_us === undefined ? null : now - s.watermark_us / 1_000;
    return html`<section class="tiles" aria-label="Key figures">
      ${tile('Events per second', rate(s.events_per_second), s.counts ? `${count(s.counts.scored)} scored` : '')}
      ${tile('Alerts per second', rate(meanAlerts()), s.alerts === undefined ? '' : `${count(s.alerts)} in all`, 'mean of the last minute')}
      ${tile('Ingest to decision', ms(decision?.p50_ms), percentiles(decision))}
      ${tile('Ingest to webhook', ms(delivery?.p50_ms), percentiles(delivery))}
      ${tile('Lag', count(s.lag_records), delay === null ? '' : `watermark ${span(delay)} behind`)}
      ${tile(
        'Last checkpoint',
        s.checkpoint_at_ms === undefined ? UNKNOWN : roughlyAgo(s.checkpoint_at_ms, now),
        s.oldest_checkpoint_at_ms === undefined ? '' : `oldest partition ${span(now - s.oldest_checkpoint_at_ms)}`,
        dateTime(s.checkpoint_at_ms),
      )}
      ${tile(
        'Last Iceberg commit',
        s.commit ? roughlyAgo(s.commit.at_ms, now) : UNKNOWN,
        s.commit ? `${count(historyRows(s))} rows` : '',
        s.commit ? `${s.commit.table}, ${dateTime(s.commit.at_ms)}` : '',
      )}
    </section>`;
  }

  #charts() {
    const now = store.nowMs();
    return html`<section class="charts">
      <article class="panel">
        <header class="panel-head"><h2>Throughput</h2></header>
        <vigil-chart .points=${[...store.points]} .series=${THROUGHPUT} .nowMs=${now}></vigil-chart>
      </article>
      <article class="panel">
        <header class="panel-head"><h2>Latency</h2><span class="muted">ms, over the last minute</span></header>
        <vigil-chart .points=${[...store.points]} .series=${LATENCY} .nowMs=${now} .usual=${0.75}></vigil-chart>
      </article>
    </section>`;
  }

  #system(snapshot) {
    const now = store.nowMs();
    return html`${services(snapshot)} ${partitions(snapshot, now)} ${historyPanel(snapshot, now)} ${counts(snapshot)}
    ${capture(snapshot, now)} ${endpoints(snapshot)} ${incomplete(snapshot)}`;
  }
}

function caseInAddress() {
  const found = /^#case=(.+)$/.exec(location.hash);
  try {
    return found ? decodeURIComponent(found[1]) : null;
  } catch {
    return null;
  }
}

/** Of all services; moves whenever there is something new to list. */
function deadLettered(snapshot) {
  const services = (snapshot?.services ?? []).reduce((sum, s) => sum + (s.dead_lettered ?? 0), 0);
  return services + (snapshot?.counts?.dead_lettered ?? 0);
}

function historyRows(snapshot) {
  return snapshot.services.flatMap((s) => s.tables ?? []).reduce((rows, table) => rows + table.rows, 0);
}

/** Alerts are rare: a single second says little. */
function meanAlerts() {
  const known = store.points.slice(-60).map((p) => p.alerts_per_second).filter((v) => v !== undefined && v !== null);
  return known.length === 0 ? null : known.reduce((sum, v) => sum + v, 0) / known.length;
}

/** Two spans of time, with the unit once where it is the same. */
function msPair(p99, p999) {
  return p999 < 1_000 ? `${count(p99)} · p99.9 ${ms(p999)}` : `${ms(p99)} · p99.9 ${ms(p999)}`;
}

function percentiles(latency) {
  return latency ? `p99 ${msPair(latency.p99_ms, latency.p999_ms)}` : '';
}

function tile(label, text, sub, title = '') {
  return html`<div class="tile" title=${title === UNKNOWN ? '' : title}>
    <div class="label">${label}</div>
    <div class="figure">${text}</div>
    <div class="sub">${sub}</div>
  </div>`;
}

customElements.define('vigil-app', VigilApp);
