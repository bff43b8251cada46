package dev.vigil.alerting.cases;

import java.util.Comparator;

/** When something is to happen to a case by itself: event time of its partition, µs since the epoch. */
public record CaseTimer(long atUs, String caseId) implements Comparable<CaseTimer> {
    private static final Comparator<CaseTimer> ORDER =
            Comparator.comparingLong(CaseTimer::atUs).thenComparing(CaseTimer::caseId);

    @Override
    public int compareTo(CaseTimer other) {
        return ORDER.compare(this, other);
    }
}
