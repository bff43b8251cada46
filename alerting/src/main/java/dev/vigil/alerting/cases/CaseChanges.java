package dev.vigil.alerting.cases;

import dev.vigil.event.cases.AlertCase;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a batch changes in the cases.
 *
 * @param changed each case once
 * @param latest by fingerprint, what {@link CaseStore#latestCase} says from now on, where that has changed
 * @param pruned ids of cases that are kept no longer; they may never have been stored
 */
public record CaseChanges(List<Changed> changed, Map<String, Optional<String>> latest, List<String> pruned) {
    public static final CaseChanges NONE = new CaseChanges(List.of(), Map.of(), List.of());

    public CaseChanges {
        changed = List.copyOf(changed);
        latest = Map.copyOf(latest);
        pruned = List.copyOf(pruned);
    }

    /**
     * One case.
     *
     * @param head as it is now
     * @param alerts that joined it, oldest first; the last has the number {@code head.figures().alertCount()}
     * @param entries new lines of its history; the last has the number {@code head.entryCount()}
     */
    public record Changed(CaseHead head, List<AlertCase.CaseAlert> alerts, List<AlertCase.CaseEntry> entries) {
        public Changed {
            alerts = List.copyOf(alerts);
            entries = List.copyOf(entries);
        }
    }
}
