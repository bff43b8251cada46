package dev.vigil.alerting.cases;

import dev.vigil.event.cases.Cases;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The cases as the outbox has them. What changes them enters it with {@link CaseChanges}. Safe for any thread. */
public interface CaseStore extends Cases {
    Optional<CaseHead> head(String caseId);

    /** Id of the group's case that is not closed; where there is none, of the one that was opened or reopened last. */
    Optional<String> latestCase(String fingerprint);

    /** Largest event time of the alerts of a partition of the log, µs since the epoch; empty before the first. */
    OptionalLong eventTimeUs(int partition);

    /** Timers of the partition at or before that time, earliest first, at most {@code limit}. */
    List<CaseTimer> dueTimers(int partition, long upToUs, int limit);

    /** The first {@link CaseHead#MAX_TARGETS} events of the case's alerts, oldest first. */
    List<LabelTarget> targets(String caseId);
}
