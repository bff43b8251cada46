package dev.vigil.alerting;

import dev.vigil.alerting.cases.CaseChanges;
import dev.vigil.alerting.cases.CaseHead;
import dev.vigil.alerting.cases.CasePlace;
import dev.vigil.alerting.cases.CaseStore;
import dev.vigil.alerting.cases.CaseTimer;
import dev.vigil.alerting.cases.LabelTarget;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.CasePage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The cases in their plainest form. */
final class InMemoryCases implements CaseStore {
    private final Map<String, CaseHead> heads = new HashMap<>();
    private final Map<String, List<AlertCase.CaseAlert>> alerts = new HashMap<>();
    private final Map<String, List<AlertCase.CaseEntry>> entries = new HashMap<>();
    private final Map<String, String> latest = new HashMap<>();
    private final Map<Integer, Long> eventTimesUs = new HashMap<>();

    synchronized void put(CaseChanges changes, Map<Integer, Long> batchTimesUs) {
        batchTimesUs.forEach((partition, timeUs) -> eventTimesUs.merge(partition, timeUs, Math::max));
        for (CaseChanges.Changed changed : changes.changed()) {
            String id = changed.head().caseId();
            heads.put(id, changed.head());
            alerts.computeIfAbsent(id, absent -> new ArrayList<>()).addAll(changed.alerts());
            entries.computeIfAbsent(id, absent -> new ArrayList<>()).addAll(changed.entries());
        }
        changes.latest()
                .forEach((fingerprint, id) ->
                        id.ifPresentOrElse(found -> latest.put(fingerprint, found), () -> latest.remove(fingerprint)));
        for (String id : changes.pruned()) {
            heads.remove(id);
            alerts.remove(id);
            entries.remove(id);
        }
    }

    @Override
    public synchronized Optional<CaseHead> head(String caseId) {
        return Optional.ofNullable(heads.get(caseId));
    }

    @Override
    public synchronized Optional<String> latestCase(String fingerprint) {
        return Optional.ofNullable(latest.get(fingerprint));
    }

    @Override
    public synchronized OptionalLong eventTimeUs(int partition) {
        Long timeUs = eventTimesUs.get(partition);
        return timeUs == null ? OptionalLong.empty() : OptionalLong.of(timeUs);
    }

    @Override
    public synchronized List<CaseTimer> dueTimers(int partition, long upToUs, int limit) {
        return heads.values().stream()
                .filter(head -> head.origin().partition() == partition)
                .flatMap(head -> head.timer().stream())
                .filter(timer -> timer.atUs() <= upToUs)
                .sorted()
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized List<LabelTarget> targets(String caseId) {
        return alerts.getOrDefault(caseId, List.of()).stream()
                .limit(CaseHead.MAX_TARGETS)
                .map(LabelTarget::of)
                .toList();
    }

    @Override
    public synchronized Optional<AlertCase> find(String caseId) {
        return head(caseId)
                .map(head -> head.view(
                        last(alerts.get(caseId), CaseHead.MAX_ALERTS),
                        last(entries.get(caseId), CaseHead.MAX_ENTRIES)));
    }

    private static <T> List<T> last(List<T> all, int kept) {
        return all.subList(Math.max(0, all.size() - kept), all.size());
    }

    @Override
    public synchronized CasePage list(CaseFilter filter) {
        CasePlace after = filter.after() == null ? null : CasePlace.parse(filter.after());
        List<CaseHead> wanted = heads.values().stream()
                .filter(head -> after == null || CasePlace.of(head).compareTo(after) > 0)
                .filter(head -> filter.open() == null || filter.open() != head.closed())
                .filter(head -> filter.assignee() == null
                        || filter.assignee().equals(head.standing().assignee()))
                .filter(head -> filter.account() == null
                        || filter.account().equals(head.origin().account()))
                .filter(head -> filter.rule() == null || head.figures().rules().contains(filter.rule()))
                .sorted((one, other) -> CasePlace.of(one).compareTo(CasePlace.of(other)))
                .toList();
        List<CaseHead> page = wanted.subList(0, Math.min(filter.limit(), wanted.size()));
        String next = page.size() < wanted.size()
                ? CasePlace.of(page.get(page.size() - 1)).toString()
                : null;
        return new CasePage(
                page.stream().map(head -> head.view(List.of(), List.of())).toList(), next);
    }
}
