package dev.vigil.backtest;

/**
 * An event that was not scored.
 *
 * @param position where the source has it, as in {@code line 17}
 * @param end {@code duplicate}, {@code late} or {@code dead_lettered}
 * @param reason code of a dead letter; else empty
 * @param detail one line for a person, without the record's data; else empty
 */
public record SetAsideRecord(String position, String end, String reason, String detail) {}
