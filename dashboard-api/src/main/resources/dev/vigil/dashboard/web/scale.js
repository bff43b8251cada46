/** How far a chart reaches: which time it shows, and where its highest values are cut so that the others can be seen. */

const FEW = 20;

/**
 * The first second of the x axis: that of the first point, but at least `minS` and at most `maxS` ago, so that what runs for
 * a minute is not a tenth of an empty chart.
 */
export function firstSecond(points, nowMs, minS, maxS) {
  const nowS = nowMs / 1_000;
  const firstS = points.length === 0 ? nowS : points[0].at_ms / 1_000;
  return Math.min(nowS - minS, Math.max(nowS - maxS, firstS));
}

/**
 * The top of a scale over the values: the largest, unless it is more than three times what the share `usual` of them stays
 * below; then the top is twice that.
 */
export function topOf(values, usual) {
  const known = values.filter((v) => v !== null && v !== undefined).sort((a, b) => a - b);
  if (known.length === 0) return 0;
  const max = known[known.length - 1];
  const common = known[Math.floor((known.length - 1) * usual)];
  return known.length < FEW || common <= 0 || max <= 3 * common ? max : 2 * common;
}

/** The highest point of each run of points above the top, as indices. */
export function cutPeaks(values, top) {
  const peaks = [];
  let peak = -1;
  values.forEach((v, i) => {
    if (v !== null && v !== undefined && v > top) {
      if (peak < 0 || v > values[peak]) peak = i;
    } else if (peak >= 0) {
      peaks.push(peak);
      peak = -1;
    }
  });
  if (peak >= 0) peaks.push(peak);
  return peaks;
}
