package dev.vigil.demo;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.FraudLabel;
import dev.vigil.demo.bank.Incident;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.Scenario;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what the worker threads had accepted. Safe for any thread. */
final class TrafficCounts {
    private static final class PlantedCount {
        private final BitSet incidents = new BitSet();
        private long events;
        private long fraudPayments;
    }

    private final PlantedFraud fraud;
    private final Map<Scenario, PlantedCount> planted = new EnumMap<>(Scenario.class);
    private long payments;
    private long labels;
    private long logins;
    private long duplicates;
    private long outOfOrder;
    private long tooLate;
    private long databaseRetries;
    private long intakeRetries;
    private long loginsRefused;
    private long abandoned;

    TrafficCounts(PlantedFraud fraud) {
        this.fraud = fraud;
    }

    void accepted(List<? extends Action> actions) {
        actions.forEach(fraud::accepted);
        count(actions);
    }

    private synchronized void count(List<? extends Action> actions) {
        actions.forEach(this::count);
    }

    synchronized void databaseRetry() {
        databaseRetries++;
    }

    synchronized void intakeRetry() {
        intakeRetries++;
    }

    synchronized void refused(int loginCount) {
        loginsRefused += loginCount;
    }

    synchronized void abandoned(int actionCount) {
        abandoned += actionCount;
    }

    synchronized TrafficStats snapshot() {
        Map<String, TrafficStats.Planted> byCode = new LinkedHashMap<>();
        planted.forEach((scenario, count) -> byCode.put(
                scenario.code(),
                new TrafficStats.Planted(count.incidents.cardinality(), count.events, count.fraudPayments)));
        return new TrafficStats(
                payments,
                labels,
                logins,
                duplicates,
                outOfOrder,
                tooLate,
                databaseRetries,
                intakeRetries,
                loginsRefused,
                abandoned,
                Collections.unmodifiableMap(byCode));
    }

    private void count(Action action) {
        if (action instanceof FraudLabel) {
            labels++;
            return;
        }
        boolean payment = action instanceof Payment;
        if (payment) {
            payments++;
        } else {
            logins++;
        }
        switch (action.delivery().timeliness()) {
            case ON_TIME -> {}
            case OUT_OF_ORDER -> outOfOrder++;
            case TOO_LATE -> tooLate++;
            case DUPLICATE -> duplicates++;
        }
        action.delivery().planted().ifPresent(incident -> planted(incident, payment && ((Payment) action).fraud()));
    }

    private void planted(Incident incident, boolean fraudPayment) {
        PlantedCount count = planted.computeIfAbsent(incident.scenario(), s -> new PlantedCount());
        count.incidents.set(Math.toIntExact(incident.number()));
        count.events++;
        count.fraudPayments += fraudPayment ? 1 : 0;
    }
}
