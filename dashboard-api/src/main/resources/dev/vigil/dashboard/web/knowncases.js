/** Which case an alert is in, as far as the page has seen cases; and how a case's state is shown. */
import { html } from 'lit';

const MAX_KNOWN = 1_000;
const known = new Map();

export function remember(cases) {
  for (const c of cases) {
    known.delete(c.case_id);
    known.set(c.case_id, c);
  }
  while (known.size > MAX_KNOWN) known.delete(known.keys().next().value);
}

/** The case's id; null if it is not known. A suppressed alert names it at the end of why. */
export function caseOf({ alert, delivery }) {
  const named = /, case ([\w.:-]+)$/.exec(delivery.suppressed_by ?? '');
  if (named) return named[1];
  for (const c of known.values()) {
    const isWithin = c.opened_at_us <= alert.event_time_us && alert.event_time_us <= c.last_alert_at_us;
    if (isWithin && c.policy === alert.policy && c.group_by === alert.group_by) return c.case_id;
  }
  return null;
}

/** Why it was not sent, without its case. */
export function whySuppressed(delivery) {
  return (delivery.suppressed_by ?? 'suppressed').replace(/, case [\w.:-]+$/, '');
}

export function statePill(c) {
  const kind = c.state === 'closed' && c.disposition === 'fraud' ? 'decline' : c.state;
  return html`<span class="pill ${kind}">${c.state}${c.disposition ? ` as ${c.disposition}` : ''}</span>`;
}
