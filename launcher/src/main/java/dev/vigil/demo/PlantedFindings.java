package dev.vigil.demo;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of the planted cases of fraud an alert was raised for, and which alerts were raised for nothing. An alert counts
 * whether it was sent or suppressed, since a suppressed one is linked to the one that was sent.
 *
 * @param incidents cases of which every event happened
 * @param caught of these, those with an alert for one of their events
 * @param unfinished cases that had begun and were not over; not among the former
 * @param unfinishedCaught of these, those with an alert already
 * @param firstAlertAfterMsMedian from the thief's first event to the case's first alert, over the caught; absent if none is
 * @param scenarios the same by scenario code, such as {@code card-testing}
 */
public record PlantedFindings(
        long incidents,
        long caught,
        long unfinished,
        long unfinishedCaught,
        @Nullable Long firstAlertAfterMsMedian,
        Map<String, Found> scenarios,
        Alerts alerts) {

    /** As for all scenarios together, for one. */
    public record Found(
            long incidents,
            long caught,
            long unfinished,
            long unfinishedCaught,
            @Nullable Long firstAlertAfterMsMedian) {}

    /**
     * Every alert of the run, once.
     *
     * @param ofIncidents for an event of a case, finished or not
     * @param besideIncidents for another event of an account that had been a victim by then
     * @param falseAlarms for an event of an account that had not
     * @param ofOtherEvents for events that this run's traffic did not make, such as your own
     */
    public record Alerts(long ofIncidents, long besideIncidents, long falseAlarms, long ofOtherEvents) {
        public long total() {
            return ofIncidents + besideIncidents + falseAlarms + ofOtherEvents;
        }
    }
}
