package dev.vigil.dashboard.deadletter;

/**
 * That a letter was put back.
 *
 * @param atMs when, milliseconds since the epoch
 * @param into where the record stands since
 */
public record RetryMark(long atMs, String into) {}
