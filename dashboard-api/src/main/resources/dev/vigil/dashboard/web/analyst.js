/** Who acts on cases: whom the proxy names, or the name that was given here once and is kept in this browser. */
const KEY = 'vigil.name';

export function keptName() {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export function keepName(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Not kept: it is asked for again after the page was loaded again.
  }
}
