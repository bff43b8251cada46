/**
 * A chart over the last minutes. Set `series` once and `points` each second. A peak far above what the share `usual` of the
 * values stays below is cut at the top, and marked with its value.
 */
import { LitElement } from 'lit';
import uPlot from 'uplot';
import { onThemeChange } from './theme.js';
import { clock, UNKNOWN } from './format.js';
import { cutPeaks, firstSecond, topOf } from './scale.js';

const SHORTEST_S = 60;
const LONGEST_S = 600;
const HEADROOM = 1.15;
/** Of a mark with its value, in pixels. */
const CUT_WIDTH = 76;
const AXIS_FONT = '11px system-ui, sans-serif';

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

class VigilChart extends LitElement {
  static properties = {
    points: { attribute: false },
    series: { attribute: false },
    nowMs: { attribute: false },
    usual: { attribute: false },
  };

  #plot = null;
  #resize = new ResizeObserver(() => this.#fit());
  #forgetTheme = null;

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#resize.observe(this);
    this.#forgetTheme = onThemeChange(() => this.#rebuild());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resize.disconnect();
    this.#forgetTheme?.();
    this.#plot?.destroy();
    this.#plot = null;
  }

  updated() {
    if (!this.#plot) this.#rebuild();
    else {
      this.#plot.setData(this.#data());
      this.#showLatest();
    }
  }

  /** The legend tells the latest values while the pointer is elsewhere. */
  #showLatest() {
    if (this.#plot.cursor.left < 0 && this.points.length > 0) {
      this.#plot.setLegend({ idx: this.points.length - 1 });
    }
  }

  #data() {
    const xs = this.points.map((p) => p.at_ms / 1_000);
    return [xs, ...this.series.map((s) => this.points.map((p) => p[s.key] ?? null))];
  }

  #fit() {
    if (this.#plot && this.clientWidth > 0) {
      this.#plot.setSize({ width: this.clientWidth, height: this.clientHeight - this.#legendHeight() });
    }
  }

  #rightAxis(axis, series) {
    return {
      ...axis,
      scale: series.scale,
      side: 1,
      size: 36,
      stroke: colour(series.colour),
      grid: { show: false },
      // Only as far up as its bars go.
      filter: (u, splits) => splits.map((v) => (v <= u.scales[series.scale].max / 2 ? v : null)),
      values: (u, splits) => splits.map((v) => (v === null ? '' : String(Number(v.toPrecision(2))))),
    };
  }

  #firstSecond() {
    return firstSecond(this.points, this.nowMs, SHORTEST_S, LONGEST_S);
  }

  /** The series on the left axis, and their points that are in view. */
  #left() {
    const fromMs = this.#firstSecond() * 1_000;
    const points = this.points.filter((p) => p.at_ms >= fromMs);
    return { points, series: this.series.filter((s) => !s.scale) };
  }

  #top() {
    const { points, series } = this.#left();
    return topOf(series.flatMap((s) => points.map((p) => p[s.key])), this.usual ?? 0.9);
  }

  /** A mark at the upper edge for each peak that is cut: the highest of those that would lie upon each other. */
  #showCuts(plot) {
    const { over } = plot;
    over.querySelectorAll('.cut').forEach((mark) => mark.remove());
    const { points, series } = this.#left();
    const top = this.#top() * HEADROOM;
    const cuts = series
      .flatMap((s) => cutPeaks(points.map((p) => p[s.key]), top).map((i) => ({ s, point: points[i] })))
      .sort((a, b) => b.point[b.s.key] - a.point[a.s.key]);
    const taken = [];
    for (const { s, point } of cuts) {
      const left = plot.valToPos(point.at_ms / 1_000, 'x');
      if (taken.some((other) => Math.abs(other - left) < CUT_WIDTH)) continue;
      taken.push(left);
      const mark = document.createElement('span');
      mark.className = left > over.clientWidth - CUT_WIDTH ? 'cut at-end' : 'cut';
      mark.textContent = `▲ ${s.format(point[s.key])}`;
      mark.title = `${s.label} ${s.format(point[s.key])} at ${clock(point.at_ms)}, beyond this chart's top`;
      mark.style.left = `${left}px`;
      over.append(mark);
    }
  }

  #legendHeight() {
    return this.querySelector('.u-legend')?.offsetHeight ?? 0;
  }

  #rebuild() {
    if (!this.series || !this.points || this.clientWidth === 0) return;
    this.#plot?.destroy();
    const grid = { stroke: colour('--v-grid'), width: 1 };
    const axis = { stroke: colour('--v-muted'), font: AXIS_FONT, grid, ticks: { show: false } };
    this.#plot = new uPlot(
      {
        width: this.clientWidth,
        height: this.clientHeight - 30,
        padding: [8, this.series.some((s) => s.scale) ? 8 : 22, 0, 0],
        cursor: { y: false, points: { size: 6 } },
        legend: { live: true },
        hooks: { draw: [(u) => this.#showCuts(u)] },
        scales: {
          x: { time: true, range: () => [this.#firstSecond(), this.nowMs / 1_000] },
          y: { range: () => [0, Math.max(this.#top(), 1) * HEADROOM] },
          z: { range: (u, min, max) => [0, Math.max(max ?? 0, 1) * 2.6] },
        },
        axes: [
          { ...axis, size: 30, space: 70, values: (u, ticks) => ticks.map((t) => clock(t * 1_000).slice(0, ticks[1] - ticks[0] < 60 ? 8 : 5)) },
          { ...axis, size: 48 },
          ...this.series.filter((s) => s.scale).map((s) => this.#rightAxis(axis, s)),
        ],
        series: [
          { label: 'time', value: (u, t) => (t == null ? UNKNOWN : clock(t * 1_000)) },
          ...this.series.map((s) => ({
            label: s.label,
            scale: s.scale ?? 'y',
            stroke: colour(s.colour),
            width: s.width ?? 1.5,
            fill: s.fill ? colour(s.fill) : undefined,
            paths: s.bars ? uPlot.paths.bars({ size: [0.8, 5] }) : undefined,
            points: { show: false },
            spanGaps: false,
            value: (u, v) => (v == null ? UNKNOWN : s.format(v)),
          })),
        ],
      },
      this.#data(),
      this,
    );
    this.#fit();
    this.#showLatest();
  }
}

customElements.define('vigil-chart', VigilChart);
