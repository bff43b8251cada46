/** Light, dark or as the system says; remembered by the browser. */
const KEY = 'vigil-theme';
const ORDER = ['auto', 'light', 'dark'];
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set();

export function chosenTheme() {
  try {
    const stored = localStorage.getItem(KEY);
    return ORDER.includes(stored) ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

export function nextTheme() {
  const next = ORDER[(ORDER.indexOf(chosenTheme()) + 1) % ORDER.length];
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A browser that stores nothing still shows this page well.
  }
  apply(next);
  return next;
}

export function onThemeChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function apply(theme) {
  const dark = theme === 'dark' || (theme === 'auto' && system.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  listeners.forEach((listener) => listener());
}

system.addEventListener('change', () => apply(chosenTheme()));
apply(chosenTheme());
