/**
 * What the page knows: the latest snapshot, points for the charts, recent alerts. Fed by the event stream, which it opens
 * again by itself; whatever was missed meanwhile is fetched. Listeners are told at most four times a second.
 */
import { get, liveUrl } from './api.js';

const MAX_ALERTS = 200;
const MAX_POINTS = 600;
const RETRY_MS = 2_000;
const STALE_MS = 5_000;
const NOTIFY_MS = 250;

class Store {
  snapshot = null;
  points = [];
  alerts = [];
  connection = 'connecting';
  #listeners = new Set();
  #known = new Map();
  #source = null;
  #lastHeardMs = 0;
  #notifying = false;

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start() {
    this.#connect();
    setInterval(() => this.#watch(), 1_000);
  }

  /** The server's time, as far as it is known here: ages are told by its clock and not the browser's. */
  nowMs() {
    return this.snapshot ? this.snapshot.at_ms + (performance.now() - this.#lastHeardMs) : Date.now();
  }

  #connect() {
    this.#source?.close();
    const source = new EventSource(liveUrl);
    this.#source = source;
    source.addEventListener('open', () => this.#refresh());
    source.addEventListener('snapshot', (event) => this.#onSnapshot(JSON.parse(event.data)));
    source.addEventListener('alert', (event) => this.#onAlert(JSON.parse(event.data)));
    source.addEventListener('delivery', (event) => this.#onDelivery(JSON.parse(event.data)));
    source.addEventListener('missed', () => this.#refresh());
    source.addEventListener('error', () => {
      this.#setConnection('reconnecting');
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(() => this.#connect(), RETRY_MS);
      }
    });
  }

  #watch() {
    const silentMs = performance.now() - this.#lastHeardMs;
    if (this.connection === 'live' && silentMs > STALE_MS) {
      this.#setConnection('stale');
      if (silentMs > 3 * STALE_MS) this.#connect();
    }
    this.#notify();
  }

  async #refresh() {
    try {
      const [history, recent] = await Promise.all([get('/metrics/history'), get('/alerts', { limit: MAX_ALERTS })]);
      this.points = history.points.slice(-MAX_POINTS);
      this.#known = new Map(recent.alerts.map((view) => [view.alert.alert_id, view]));
      this.#order();
    } catch {
      // The stream is open and brings the rest; the next reconnect fetches again.
    }
    this.#notify();
  }

  #onSnapshot(snapshot) {
    this.snapshot = snapshot;
    this.#lastHeardMs = performance.now();
    this.#setConnection('live');
    this.points.push(pointOf(snapshot));
    if (this.points.length > MAX_POINTS) this.points.shift();
    this.#notify();
  }

  #onAlert(view) {
    view.arrived = true;
    this.#known.set(view.alert.alert_id, view);
    this.#order();
    this.#notify();
  }

  #onDelivery({ alert_id: id, delivery }) {
    const view = this.#known.get(id);
    if (!view) return;
    this.#known.set(id, { ...view, delivery });
    this.#order();
    this.#notify();
  }

  #order() {
    const newestFirst = [...this.#known.values()].sort((a, b) => b.alert.ingest_time_ms - a.alert.ingest_time_ms);
    this.alerts = newestFirst.slice(0, MAX_ALERTS);
    newestFirst.slice(MAX_ALERTS).forEach((view) => this.#known.delete(view.alert.alert_id));
  }

  #setConnection(state) {
    if (this.connection !== state) {
      this.connection = state;
      this.#notify();
    }
  }

  #notify() {
    if (this.#notifying) return;
    this.#notifying = true;
    setTimeout(() => {
      this.#notifying = false;
      this.#listeners.forEach((listener) => listener());
    }, NOTIFY_MS);
  }
}

function pointOf(snapshot) {
  return {
    at_ms: snapshot.at_ms,
    events_per_second: snapshot.events_per_second,
    alerts_per_second: snapshot.alerts_per_second,
    decision_ms_p50: snapshot.decision_latency?.recent?.p50_ms,
    decision_ms_p99: snapshot.decision_latency?.recent?.p99_ms,
    delivery_ms_p50: snapshot.delivery_latency?.recent?.p50_ms,
    delivery_ms_p99: snapshot.delivery_latency?.recent?.p99_ms,
  };
}

export const store = new Store();
