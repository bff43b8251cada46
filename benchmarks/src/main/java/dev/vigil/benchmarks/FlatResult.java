package dev.vigil.benchmarks;

/**
 * What a case of {@link FlatCost} measured.
 *
 * @param count of the times
 * @param p50Us of them, µs, as the others
 * @param heads written, for each event of the case; likewise the following
 * @param otherKeys the task's own, which is one for each step, and timers
 * @param bytes of keys and values
 * @param heapMib after a collection
 * @param residentMib 0 where the system does not tell
 */
record FlatResult(
        long count,
        double p50Us,
        double p99Us,
        double p999Us,
        double longestUs,
        double heads,
        double blocks,
        double otherKeys,
        double bytes,
        long heapMib,
        long residentMib) {}
