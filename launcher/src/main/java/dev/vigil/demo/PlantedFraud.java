package dev.vigil.demo;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.FraudLabel;
import dev.vigil.demo.bank.Incident;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.Scenario;
import dev.vigil.event.Alert;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the player knows and nobody else: which events are a planted case of fraud. Alerts are held against it by the
 * identity of the event behind them.
 *
 * <p>An action is expected before it is delivered; from then on the order of calls makes no difference to the findings.
 * Memory does not grow with a long run: the last {@value #KEPT} cases are known event by event, of earlier ones there are
 * sums, and each account that was ever a victim is remembered. Safe for any thread.
 */
public final class PlantedFraud {
    static final int KEPT = 10_000;
    private static final String CAPTURED = "/cdc/";

    private static final class Case {
        private final Incident incident;
        private final List<String> eventIds = new ArrayList<>();
        private int acceptedCount;
        private long thiefFromMs = Long.MAX_VALUE;
        private long alertedAtMs = Long.MAX_VALUE;

        Case(Incident incident) {
            this.incident = incident;
        }

        void addTo(CaseTally tally) {
            boolean alerted = alertedAtMs < Long.MAX_VALUE;
            if (acceptedCount < incident.events()) {
                tally.addUnfinished(alerted);
            } else if (!alerted) {
                tally.addMissed();
            } else {
                // An honest payment that begins a case may alert before the thief has done anything.
                tally.addCaught(Math.max(0, alertedAtMs - thiefFromMs));
            }
        }
    }

    private final long firstPaymentId;
    private final String loginIdPrefix;
    private final int kept;
    private final Map<Long, Case> cases = new LinkedHashMap<>();
    private final Map<String, Case> caseByEventId = new HashMap<>();
    private final Map<Scenario, CaseTally> earlier = new EnumMap<>(Scenario.class);
    private final Map<String, Long> victimFromMs = new HashMap<>();
    private long ofIncidents;
    private long besideIncidents;
    private long falseAlarms;
    private long ofOtherEvents;

    /** @param loginIdPrefix of the traffic's logins, and of no others */
    PlantedFraud(long firstPaymentId, String loginIdPrefix) {
        this(firstPaymentId, loginIdPrefix, KEPT);
    }

    PlantedFraud(long firstPaymentId, String loginIdPrefix, int kept) {
        this.firstPaymentId = firstPaymentId;
        this.loginIdPrefix = loginIdPrefix;
        this.kept = kept;
    }

    /** An action that is about to be delivered. */
    synchronized void expect(Action action) {
        Incident incident = action.delivery().incident();
        if (incident == null || action instanceof FraudLabel) {
            return;
        }
        Case known = cases.computeIfAbsent(incident.number(), number -> new Case(incident));
        String eventId = eventId(action);
        known.eventIds.add(eventId);
        caseByEventId.put(eventId, known);
        long eventTimeMs = eventTimeMs(action);
        victimFromMs.merge(action.accountId(), eventTimeMs, Math::min);
        if (isThiefs(action)) {
            known.thiefFromMs = Math.min(known.thiefFromMs, eventTimeMs);
        }
        if (cases.size() > kept) {
            sumUpTheOldest();
        }
    }

    private void sumUpTheOldest() {
        Iterator<Case> oldestFirst = cases.values().iterator();
        Case oldest = oldestFirst.next();
        oldestFirst.remove();
        oldest.eventIds.forEach(caseByEventId::remove);
        oldest.addTo(tally(earlier, oldest.incident.scenario()));
    }

    private CaseTally tally(Map<Scenario, CaseTally> tallies, Scenario scenario) {
        return tallies.computeIfAbsent(scenario, s -> new CaseTally(kept));
    }

    private static String eventId(Action action) {
        return action instanceof Payment payment ? Long.toString(payment.id()) : ((Login) action).id();
    }

    private static long eventTimeMs(Action action) {
        return action instanceof Payment payment ? payment.eventTimeMs() : ((Login) action).eventTimeMs();
    }

    private static boolean isThiefs(Action action) {
        return !(action instanceof Payment payment) || payment.fraud();
    }

    /** An expected action has happened: the bank has it for good. */
    synchronized void accepted(Action action) {
        Incident incident = action.delivery().incident();
        if (incident == null || action instanceof FraudLabel) {
            return;
        }
        Case known = cases.get(incident.number());
        if (known != null) {
            known.acceptedCount++;
        }
    }

    /**
     * An alert was raised; to be called once for each of the run, sent or suppressed.
     *
     * @param raisedAtMs when the engine wrote it, ms since the epoch
     */
    public synchronized void alerted(Alert alert, long raisedAtMs) {
        if (!isOurs(alert)) {
            ofOtherEvents++;
            return;
        }
        Case known = caseByEventId.get(alert.eventId());
        if (known != null) {
            known.alertedAtMs = Math.min(known.alertedAtMs, raisedAtMs);
            ofIncidents++;
        } else if (victimFromMs.getOrDefault(alert.account(), Long.MAX_VALUE)
                <= Math.floorDiv(alert.eventTimeUs(), 1_000L)) {
            besideIncidents++;
        } else {
            falseAlarms++;
        }
    }

    private boolean isOurs(Alert alert) {
        String id = alert.eventId();
        if (alert.source().equals(LoginEvents.SOURCE)) {
            return id.startsWith(loginIdPrefix);
        }
        return alert.source().startsWith(CAPTURED) && id.matches("\\d{1,18}") && Long.parseLong(id) >= firstPaymentId;
    }

    public synchronized PlantedFindings findings() {
        Map<Scenario, CaseTally> tallies = new EnumMap<>(Scenario.class);
        earlier.forEach((scenario, sums) -> tally(tallies, scenario).add(sums));
        cases.values().forEach(known -> known.addTo(tally(tallies, known.incident.scenario())));
        CaseTally all = new CaseTally(Integer.MAX_VALUE);
        Map<String, PlantedFindings.Found> byCode = new LinkedHashMap<>();
        tallies.forEach((scenario, tally) -> {
            all.add(tally);
            byCode.put(scenario.code(), tally.found());
        });
        PlantedFindings.Found found = all.found();
        return new PlantedFindings(
                found.incidents(),
                found.caught(),
                found.unfinished(),
                found.unfinishedCaught(),
                found.firstAlertAfterMsMedian(),
                byCode,
                new PlantedFindings.Alerts(ofIncidents, besideIncidents, falseAlarms, ofOtherEvents));
    }
}
