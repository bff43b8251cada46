package dev.vigil.alerting.service;

import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.Disposition;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;

/**
 * What analysts do in a crash suite: actions on cases of alerts that the undisturbed instance has sent. An action comes when that instance has
 * taken all alerts before it, and the next alert when it has taken the action: so what came first is certain, also for who reads
 * both topics again.
 */
final class CaseWork {
    private static final long APART_MS = 5;
    private static final long WAIT_MS = 30_000;

    private final AlertsTopic topic;
    private final Alerting undisturbed;
    private final Random random;
    private final BlockingQueue<ReceivedAlert> sent = new LinkedBlockingQueue<>();
    private long actionCount;

    CaseWork(AlertsTopic topic, Alerting undisturbed, Random random) {
        this.topic = topic;
        this.undisturbed = undisturbed;
        // Its own, as what it draws depends on the moment.
        this.random = new Random(random.nextLong());
    }

    /** From the undisturbed receiver's threads. */
    void sent(ReceivedAlert alert) {
        sent.add(alert);
    }

    long actionCount() {
        return actionCount;
    }

    /** One action on a case whose alert was sent lately, if any was. */
    void act(long alertCount, long eventTimeUs) throws Exception {
        ReceivedAlert alert = sent.poll();
        if (alert == null || alert.caseId() == null) {
            return;
        }
        String caseId = alert.caseId();
        await("the alerts before an action", () -> undisturbed.status().alerts() == alertCount);
        CaseAction action = action(caseId, alert.alert().account(), eventTimeUs);
        Thread.sleep(APART_MS);
        topic.put(action, alert.alert().position().partition());
        actionCount++;
        await("an action", () -> hasTaken(caseId, action.actionId()));
        Thread.sleep(APART_MS);
        sent.clear();
    }

    private CaseAction action(String caseId, String account, long eventTimeUs) {
        CaseAction.Kind kind = CaseAction.Kind.values()[random.nextInt(CaseAction.Kind.values().length)];
        Disposition disposition = Disposition.values()[random.nextInt(Disposition.values().length)];
        return new CaseAction(
                "action-" + actionCount,
                caseId,
                account,
                kind,
                "ann",
                System.currentTimeMillis(),
                null,
                "ann",
                kind == CaseAction.Kind.CLOSE ? disposition : null,
                kind == CaseAction.Kind.SNOOZE ? (Long) (eventTimeUs + random.nextInt(600) * 1_000_000L) : null,
                null);
    }

    private boolean hasTaken(String caseId, String actionId) {
        return undisturbed.cases().find(caseId).map(AlertCase::history).stream()
                .flatMap(List::stream)
                .anyMatch(line -> line.actionId().equals(actionId));
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long endMs = System.currentTimeMillis() + WAIT_MS;
        while (!condition.getAsBoolean()) {
            if (System.currentTimeMillis() > endMs) {
                throw new AssertionError("the undisturbed instance has not taken " + what);
            }
            Thread.sleep(1);
        }
    }
}
