/** How figures are written. Whatever is not known is an en dash, never a zero. */
export const UNKNOWN = '–';

const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);
const integers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const moneyFormats = new Map();

export function count(value) {
  return known(value) ? integers.format(value) : UNKNOWN;
}

export function rate(value) {
  if (!known(value)) return UNKNOWN;
  if (value >= 100 || value === 0) return integers.format(value);
  return value >= 10 ? decimals.format(value) : hundredths.format(value);
}

export function ms(value) {
  if (!known(value)) return UNKNOWN;
  if (value < 1_000) return `${integers.format(value)} ms`;
  return value < 60_000 ? `${decimals.format(value / 1_000)} s` : span(value);
}

/** A span of time in its two largest units. */
export function span(valueMs) {
  if (!known(valueMs)) return UNKNOWN;
  const s = Math.max(0, Math.round(valueMs / 1_000));
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86_400) return `${Math.floor(s / 3_600)} h ${Math.floor((s % 3_600) / 60)} min`;
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3_600)} h`;
}

/** The same in its largest unit alone, for where there is little room. */
function roughly(valueMs) {
  const s = Math.max(0, Math.round(valueMs / 1_000));
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} min`;
  return s < 86_400 ? `${Math.floor(s / 3_600)} h` : `${integers.format(Math.floor(s / 86_400))} d`;
}

export function roughlyAgo(atMs, nowMs) {
  return known(atMs) ? `${roughly(nowMs - atMs)} ago` : UNKNOWN;
}

export function ago(atMs, nowMs) {
  return known(atMs) ? `${span(nowMs - atMs)} ago` : UNKNOWN;
}

const two = (n) => String(n).padStart(2, '0');

export function clock(atMs) {
  if (!known(atMs)) return UNKNOWN;
  const t = new Date(atMs);
  return `${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
}

export function dateTime(atMs) {
  if (!known(atMs)) return UNKNOWN;
  const t = new Date(atMs);
  const fraction = String(t.getMilliseconds()).padStart(3, '0');
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${clock(atMs)}.${fraction}`;
}

/** A date and time to the minute. */
export function minute(atMs) {
  return known(atMs) ? dateTime(atMs).slice(0, 16) : UNKNOWN;
}

export function bytes(value) {
  if (!known(value)) return UNKNOWN;
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let amount = value;
  while (amount >= 1_000 && unit < units.length - 1) {
    amount /= 1_000;
    unit++;
  }
  return `${unit === 0 ? integers.format(amount) : decimals.format(amount)} ${units[unit]}`;
}

/** An amount in major units; without a known currency the number alone. */
export function money(value, currency) {
  if (!known(value) || typeof value !== 'number') return known(value) ? String(value) : UNKNOWN;
  if (!currency) return String(value);
  try {
    if (!moneyFormats.has(currency)) {
      moneyFormats.set(currency, new Intl.NumberFormat('en-GB', { style: 'currency', currency }));
    }
    return moneyFormats.get(currency).format(value);
  } catch {
    return `${value} ${currency}`;
  }
}

/** Any value of a record as one line. */
export function value(any) {
  if (!known(any)) return UNKNOWN;
  if (typeof any === 'number') return Number.isInteger(any) ? String(any) : String(Number(any.toPrecision(6)));
  return typeof any === 'object' ? JSON.stringify(any) : String(any);
}
