package dev.vigil.alerting;

/** An outgoing record and its number in the outbox; numbers rise in the order in which records were put there. */
public record NumberedRecord(long seq, OutgoingRecord outgoing) {}
