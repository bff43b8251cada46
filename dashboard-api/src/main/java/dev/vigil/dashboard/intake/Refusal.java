package dev.vigil.dashboard.intake;

import dev.vigil.event.DeadLetter;

/**
 * A record that is refused for good, as it goes to the dead letters.
 *
 * @param letter why
 * @param record the record as it came, but for card numbers and for headers that only Vigil writes
 * @param masked whether stars stand in the record, so that it is no longer what was sent
 */
public record Refusal(DeadLetter letter, SentRecord record, boolean masked) {}
