package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every outbox does. */
public abstract class OutboxContract {
    protected static final String DESK = "risk-desk";
    protected static final String AUDIT = "audit";
    protected static final LogPartition ALERTS_0 = new LogPartition(TestAlerts.ALERTS_ID, 0);
    protected static final LogPartition LOG_0 = new LogPartition(TestAlerts.LOG_ID, 0);
    private static final LogPartition REPORTS_0 = new LogPartition("reports-id", 0);
    protected Outbox outbox;

    protected abstract Outbox open();

    @BeforeEach
    void openOutbox() {
        outbox = open();
    }

    @AfterEach
    void closeOutbox() {
        outbox.close();
    }

    @Test
    void shouldStartWithoutPositionsMarksAndCounts() {
        assertThat(outbox.nextOffset(ALERTS_0)).isEmpty();
        assertThat(outbox.passedOffset(LOG_0)).isEmpty();
        assertThat(outbox.mark(new CooldownMark.Group("card-fraud", "acc-1"))).isEmpty();
        assertThat(outbox.counts()).isEqualTo(OutboxCounts.ZERO);
        assertThat(outbox.due(DESK, Long.MAX_VALUE, 10).due()).isEmpty();
        assertThat(outbox.unpublished(0, 10)).isEmpty();
    }

    @Test
    void shouldKeepPositionsOfEachPartitionAndTopicApart() {
        LogPartition other = new LogPartition(TestAlerts.LOG_ID, 1);
        LogPartition recreated = new LogPartition("another-id", 0);
        outbox.accept(new BatchBuilder()
                .next(ALERTS_0, 7)
                .passed(LOG_0, 41)
                .passed(other, 3)
                .build());
        outbox.accept(new BatchBuilder().next(ALERTS_0, 9).passed(LOG_0, 50).build());

        assertThat(outbox.nextOffset(ALERTS_0)).hasValue(9);
        assertThat(outbox.passedOffset(LOG_0)).hasValue(50);
        assertThat(outbox.passedOffset(other)).hasValue(3);
        assertThat(outbox.passedOffset(recreated)).isEmpty();
    }

    @Test
    void shouldGiveDeliveriesInDueOrderAndOnlyThoseDue() {
        outbox.accept(new BatchBuilder()
                .alert(TestAlerts.at(1), 1_000, DESK)
                .alert(TestAlerts.at(2), 900, DESK)
                .alert(TestAlerts.at(3), 1_100, DESK)
                .alert(TestAlerts.at(4), 900, AUDIT)
                .build());

        DueDeliveries due = outbox.due(DESK, 1_000, 10);
        assertThat(due.due()).extracting(PendingDelivery::dueAtMs).containsExactly(900L, 1_000L);
        assertThat(due.nextDueAtMs()).hasValue(1_100);
        assertThat(alertOf(due.due().get(0))).isEqualTo(TestAlerts.at(2).id());
        assertThat(outbox.due(AUDIT, 1_000, 10).due()).hasSize(1);
        assertThat(outbox.due(DESK, 2_000, 2).due()).hasSize(2);
        assertThat(outbox.due("risk", 2_000, 2).due()).isEmpty();
    }

    @Test
    void shouldFindWhatIsRescheduledToEarlierThanTheQueuesFront() {
        outbox.accept(new BatchBuilder().alert(TestAlerts.at(1), 5_000, DESK).build());
        PendingDelivery first = outbox.due(DESK, 9_000, 1).due().get(0);
        PendingDelivery next = new PendingDelivery(DESK, first.alertSeq(), 2_000, 1, 1_500);

        outbox.reschedule(first, next, report(Delivery.Outcome.FAILED, 1));

        assertThat(outbox.due(DESK, 2_000, 10).due()).containsExactly(next);
        assertThat(outbox.counts().endpoint(DESK)).isEqualTo(new OutboxCounts.EndpointCounts(1, 0, 1, 0, 0));
    }

    @Test
    void shouldKeepAnAlertUntilItsLastDeliveryIsOver() {
        outbox.accept(new BatchBuilder().alert(TestAlerts.at(1), 0, DESK, AUDIT).build());
        PendingDelivery toDesk = outbox.due(DESK, 0, 1).due().get(0);
        PendingDelivery toAudit = outbox.due(AUDIT, 0, 1).due().get(0);

        outbox.finish(toDesk, report(Delivery.Outcome.DELIVERED, 1));
        assertThat(outbox.alert(toAudit.alertSeq()).json())
                .isEqualTo(TestAlerts.at(1).json());
        outbox.finish(toAudit, report(Delivery.Outcome.GIVEN_UP, 1));

        assertThatThrownBy(() -> outbox.alert(toAudit.alertSeq())).isInstanceOf(IllegalStateException.class);
        assertThat(outbox.due(DESK, 9, 1).due()).isEmpty();
        assertThat(outbox.counts().endpoint(DESK)).isEqualTo(new OutboxCounts.EndpointCounts(1, 1, 0, 0, 0));
        assertThat(outbox.counts().endpoint(AUDIT)).isEqualTo(new OutboxCounts.EndpointCounts(1, 0, 1, 1, 0));
    }

    @Test
    void shouldNotCountAnAttemptThatWasNotMade() {
        outbox.accept(new BatchBuilder().alert(TestAlerts.at(1), 0, DESK).build());
        PendingDelivery delivery = outbox.due(DESK, 0, 1).due().get(0);

        outbox.finish(delivery, report(Delivery.Outcome.GIVEN_UP, 0));

        assertThat(outbox.counts().endpoint(DESK)).isEqualTo(new OutboxCounts.EndpointCounts(1, 0, 0, 1, 0));
    }

    @Test
    void shouldKeepTheNewestMarkOfAGroup() {
        CooldownMark older = CooldownMark.of(TestAlerts.at(1).of("acc").alert());
        CooldownMark newer = CooldownMark.of(
                TestAlerts.at(2).of("acc").eventTime("2026-03-01T13:00:00Z").alert());
        outbox.accept(new BatchBuilder().mark(older).build());
        outbox.accept(new BatchBuilder().mark(newer).build());

        assertThat(outbox.mark(newer.group())).contains(newer);
    }

    @Test
    void shouldDropMarksThatExpiredInTheirOwnPartitionOnly() {
        CooldownMark here = CooldownMark.of(TestAlerts.at(1).of("a").alert());
        CooldownMark there =
                CooldownMark.of(TestAlerts.at(1).of("b").inPartition(1).alert());
        CooldownMark replaced = CooldownMark.of(TestAlerts.at(2).of("c").alert());
        CooldownMark replacement = CooldownMark.of(
                TestAlerts.at(3).of("c").eventTime("2026-03-01T12:00:01Z").alert());
        outbox.accept(new BatchBuilder().mark(here).mark(there).mark(replaced).build());
        outbox.accept(new BatchBuilder().mark(replacement).build());

        outbox.accept(new BatchBuilder().eventTime(0, here.expiresAtUs() - 1).build());
        assertThat(outbox.mark(here.group())).contains(here);
        outbox.accept(new BatchBuilder()
                .eventTime(0, here.expiresAtUs() - 1 + 60_000_000)
                .build());

        assertThat(outbox.mark(here.group())).isEmpty();
        assertThat(outbox.mark(there.group())).contains(there);
        assertThat(outbox.mark(replacement.group())).isEmpty();
    }

    @Test
    void shouldNotDropAMarkWithTheExpiryOfTheOneItReplaced() {
        CooldownMark replaced = CooldownMark.of(TestAlerts.at(1).of("c").alert());
        CooldownMark replacement = CooldownMark.of(
                TestAlerts.at(2).of("c").eventTime("2026-03-02T12:00:00Z").alert());
        outbox.accept(new BatchBuilder().mark(replaced).build());
        outbox.accept(new BatchBuilder().mark(replacement).build());

        outbox.accept(new BatchBuilder().eventTime(0, replaced.expiresAtUs()).build());

        assertThat(outbox.mark(replacement.group())).contains(replacement);
    }

    @Test
    void shouldOweRecordsInOrderUntilTheyArePublished() {
        outbox.accept(
                new BatchBuilder().outgoing("a").outgoing("b").outgoing("c").build());

        List<NumberedRecord> two = outbox.unpublished(0, 2);
        assertThat(two).extracting(record -> text(record)).containsExactly("a", "b");
        outbox.published(two);

        assertThat(outbox.unpublished(0, 10)).extracting(record -> text(record)).containsExactly("c");
        assertThat(outbox.unpublished(two.get(1).seq(), 10)).hasSize(1);
    }

    @Test
    void shouldNotMakeADeliveryThatAnotherInstanceEnded() {
        TestAlerts taken = TestAlerts.at(1);
        TestAlerts coming = TestAlerts.at(2);
        outbox.accept(new BatchBuilder().alert(taken, 0, DESK, AUDIT).build());

        outbox.settle(
                List.of(ended(taken, Delivery.Outcome.DELIVERED, 100), ended(coming, Delivery.Outcome.GIVEN_UP, 100)),
                Map.of(REPORTS_0, 5L));
        outbox.accept(new BatchBuilder().alert(coming, 0, DESK, AUDIT).build());

        assertThat(outbox.nextOffset(REPORTS_0)).hasValue(5);
        assertThat(outbox.due(DESK, 9, 9).due()).extracting(this::alertOf).containsExactly(taken.id());
        assertThat(outbox.due(AUDIT, 9, 9).due()).hasSize(2);
        PendingDelivery toDesk = outbox.due(DESK, 9, 9).due().get(0);
        assertThat(outbox.finishIfSettled(toDesk, taken.id())).isTrue();
        assertThat(outbox.due(DESK, 9, 9).due()).isEmpty();
        assertThat(outbox.alert(toDesk.alertSeq()).json())
                .as("still due to another")
                .isEqualTo(taken.json());
        assertThat(outbox.finishIfSettled(outbox.due(AUDIT, 9, 9).due().get(0), taken.id()))
                .isFalse();
        assertThat(outbox.counts().endpoint(DESK)).isEqualTo(new OutboxCounts.EndpointCounts(2, 1, 0, 1, 0));
        assertThat(outbox.unpublished(0, 9)).as("reported by the other").isEmpty();
    }

    @Test
    void shouldPutWhatWasGivenUpOnItsWayOnceMore() {
        TestAlerts alert = TestAlerts.at(1);
        outbox.accept(new BatchBuilder().alert(alert, 0, DESK).build());
        outbox.finish(outbox.due(DESK, 0, 1).due().get(0), report(alert, Delivery.Outcome.GIVEN_UP));
        assertThat(outbox.isRedelivery(alert.id(), DESK)).isFalse();

        List<AlertAgain> again = List.of(new AlertAgain(alert.id(), alert.account(), alert.json()));
        assertThat(outbox.redeliver(DESK, again, false, 500)).isOne();
        assertThat(outbox.redeliver(DESK, again, false, 600))
                .as("already on its way")
                .isZero();

        assertThat(outbox.isRedelivery(alert.id(), DESK)).isTrue();
        assertThat(outbox.isRedelivery(alert.id(), AUDIT)).isFalse();
        List<PendingDelivery> due = outbox.due(DESK, 9_999, 9).due();
        assertThat(due).singleElement().satisfies(delivery -> {
            assertThat(alertOf(delivery)).isEqualTo(alert.id());
            assertThat(delivery.dueAtMs()).isEqualTo(500);
            assertThat(delivery.attemptsMade()).isZero();
        });
        assertThat(outbox.counts().endpoint(DESK)).isEqualTo(new OutboxCounts.EndpointCounts(2, 0, 1, 1, 1));
        outbox.finish(due.get(0), report(alert, Delivery.Outcome.DELIVERED));
        assertThat(outbox.isRedelivery(alert.id(), DESK)).isFalse();
        assertThat(outbox.counts().endpoint(DESK).pending()).isZero();
        assertThat(outbox.redeliver(DESK, again, false, 700))
                .as("asked once more")
                .isOne();
    }

    @Test
    void shouldRedeliverWhatAnotherInstanceGaveUpBeforeTheRequestAndNotWhatItEndedAfter() {
        TestAlerts alert = TestAlerts.at(1);
        outbox.settle(List.of(ended(alert, Delivery.Outcome.GIVEN_UP, 100)), Map.of());
        outbox.redeliver(DESK, List.of(new AlertAgain(alert.id(), alert.account(), alert.json())), false, 500);
        PendingDelivery delivery = outbox.due(DESK, 500, 9).due().get(0);
        assertThat(outbox.finishIfSettled(delivery, alert.id())).isFalse();

        outbox.settle(List.of(ended(alert, Delivery.Outcome.GIVEN_UP, 100)), Map.of());
        assertThat(outbox.finishIfSettled(delivery, alert.id()))
                .as("the same report, read again")
                .isFalse();
        outbox.settle(List.of(ended(alert, Delivery.Outcome.DELIVERED, 501)), Map.of());
        assertThat(outbox.finishIfSettled(delivery, alert.id())).isTrue();

        assertThat(outbox.due(DESK, 9_999, 9).due()).isEmpty();
        assertThat(outbox.isRedelivery(alert.id(), DESK)).isFalse();
    }

    /** Alert n of an account of two, by turns. */
    private static TestAlerts ofTwo(long n) {
        return TestAlerts.at(n).of(n % 2 == 0 ? "even" : "odd");
    }

    private List<String> dueAlerts() {
        return outbox.due(DESK, 9_999, 99).due().stream().map(this::alertOf).toList();
    }

    @Test
    void shouldGiveAlertsOfAnAccountOneAfterTheOther() {
        outbox.accept(new BatchBuilder()
                .inOrder(ofTwo(0), 100, DESK)
                .inOrder(ofTwo(1), 100, DESK)
                .inOrder(ofTwo(2), 200, DESK)
                .build());
        outbox.accept(new BatchBuilder()
                .inOrder(ofTwo(4), 50, DESK)
                .alert(ofTwo(6), 300, DESK)
                .build());
        assertThat(dueAlerts()).containsExactly(ofTwo(0).id(), ofTwo(1).id(), ofTwo(6).id());

        PendingDelivery first = outbox.due(DESK, 9_999, 1).due().get(0);
        PendingDelivery later = new PendingDelivery(DESK, first.alertSeq(), 5_000, 1, 100);
        outbox.reschedule(first, later, report(ofTwo(0), Delivery.Outcome.FAILED));
        assertThat(dueAlerts())
                .as("a failed one holds the others of its account alone")
                .containsExactly(ofTwo(1).id(), ofTwo(6).id(), ofTwo(0).id());

        outbox.finish(later, report(ofTwo(0), Delivery.Outcome.GIVEN_UP));
        assertThat(dueAlerts()).containsExactly(ofTwo(1).id(), ofTwo(6).id(), ofTwo(2).id());
        PendingDelivery second = outbox.due(DESK, 9_999, 9).due().get(2);
        assertThat(second.dueAtMs()).as("at once").isEqualTo(5_000);
        assertThat(second.attemptsMade()).isZero();
        assertThat(second.firstAttemptAtMs())
                .as("kept no longer than if it had not waited")
                .isEqualTo(200);

        outbox.finish(second, report(ofTwo(2), Delivery.Outcome.DELIVERED));
        assertThat(dueAlerts()).contains(ofTwo(4).id());
        assertThat(outbox.counts().endpoint(DESK).pending()).isEqualTo(3);
        PendingDelivery third = outbox.due(DESK, 9_999, 9).due().get(2);
        outbox.finish(third, report(ofTwo(4), Delivery.Outcome.DELIVERED));
        outbox.accept(new BatchBuilder().inOrder(ofTwo(8), 400, DESK).build());
        assertThat(dueAlerts()).as("nothing waits before it").contains(ofTwo(8).id());
    }

    @Test
    void shouldGoOnInOrderPastWhatAnotherInstanceEnded() {
        outbox.accept(new BatchBuilder()
                .inOrder(ofTwo(0), 0, DESK)
                .inOrder(ofTwo(2), 0, DESK)
                .inOrder(ofTwo(4), 0, DESK)
                .build());
        outbox.settle(
                List.of(
                        ended(ofTwo(0), Delivery.Outcome.DELIVERED, 100),
                        ended(ofTwo(2), Delivery.Outcome.GIVEN_UP, 100),
                        ended(ofTwo(6), Delivery.Outcome.DELIVERED, 100)),
                Map.of());
        outbox.accept(new BatchBuilder()
                .inOrder(ofTwo(6), 0, DESK)
                .inOrder(ofTwo(8), 0, DESK)
                .build());
        for (long ended : new long[] {0, 2}) {
            PendingDelivery head = outbox.due(DESK, 9_999, 9).due().get(0);
            assertThat(alertOf(head)).isEqualTo(ofTwo(ended).id());
            assertThat(outbox.finishIfSettled(head, ofTwo(ended).id())).isTrue();
        }
        PendingDelivery head = outbox.due(DESK, 9_999, 9).due().get(0);
        assertThat(alertOf(head)).isEqualTo(ofTwo(4).id());
        assertThat(outbox.finishIfSettled(head, ofTwo(4).id())).isFalse();
        outbox.finish(head, report(ofTwo(4), Delivery.Outcome.DELIVERED));
        assertThat(dueAlerts()).containsExactly(ofTwo(8).id());
    }

    @Test
    void shouldPutWhatIsRedeliveredBehindTheOthersOfItsAccount() {
        outbox.accept(new BatchBuilder().inOrder(ofTwo(2), 0, DESK).build());
        TestAlerts before = ofTwo(0);
        outbox.redeliver(DESK, List.of(new AlertAgain(before.id(), before.account(), before.json())), true, 500);
        assertThat(dueAlerts()).containsExactly(ofTwo(2).id());
        outbox.finish(outbox.due(DESK, 9_999, 1).due().get(0), report(ofTwo(2), Delivery.Outcome.DELIVERED));
        assertThat(dueAlerts()).containsExactly(before.id());
    }

    @Test
    void shouldForgetWhatOthersEndedLongAgo() {
        outbox.settle(
                List.of(
                        ended(TestAlerts.at(1), Delivery.Outcome.DELIVERED, 99),
                        ended(TestAlerts.at(2), Delivery.Outcome.DELIVERED, 100)),
                Map.of());
        outbox.forgetSettled(100);
        outbox.accept(new BatchBuilder()
                .alert(TestAlerts.at(1), 0, DESK)
                .alert(TestAlerts.at(2), 0, DESK)
                .build());

        assertThat(outbox.due(DESK, 9, 9).due()).extracting(this::alertOf).containsExactly("alert-0-1");
    }

    private static Delivery ended(TestAlerts alert, Delivery.Outcome outcome, long attemptedAtMs) {
        return new Delivery(
                alert.id(), "acc", alert.alert().position(), 0, 0, DESK, 1, outcome, null, null, attemptedAtMs, 0);
    }

    @Test
    void shouldRememberDisabledEndpoints() {
        DisabledEndpoint gone = new DisabledEndpoint(DESK, "fingerprint", 1_000);
        outbox.disable(gone);
        assertThat(outbox.disabled(DESK)).contains(gone);
        assertThat(outbox.disabled(AUDIT)).isEmpty();
        outbox.enable(DESK);
        assertThat(outbox.disabled(DESK)).isEmpty();
    }

    @Test
    void shouldCountWhatWasTaken() {
        IntakeBatch.Counts some = new IntakeBatch.Counts(5, 2, 1, 3, 4, IntakeBatch.CaseCounts.ZERO);
        outbox.accept(new BatchBuilder().counts(some).build());
        outbox.accept(
                new BatchBuilder().counts(some).alert(TestAlerts.at(1), 0, DESK).build());

        assertThat(outbox.counts().intake())
                .isEqualTo(new IntakeBatch.Counts(10, 4, 2, 6, 8, IntakeBatch.CaseCounts.ZERO));
        assertThat(outbox.counts().endpoint(DESK).pending()).isOne();
    }

    @Test
    void shouldRefuseWorkOnceClosedButStillTellCounts() {
        outbox.accept(new BatchBuilder()
                .counts(new IntakeBatch.Counts(1, 0, 0, 0, 0, IntakeBatch.CaseCounts.ZERO))
                .build());
        outbox.close();

        assertThatThrownBy(() -> outbox.due(DESK, 0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> outbox.accept(new BatchBuilder().build())).isInstanceOf(IllegalStateException.class);
        assertThat(outbox.counts().intake().alerts()).isOne();
    }

    @Test
    void shouldDrainALongQueueInOrder() {
        BatchBuilder batch = new BatchBuilder();
        LongStream.range(0, 2_000).forEach(offset -> batch.alert(TestAlerts.at(offset), offset, DESK));
        outbox.accept(batch.build());

        long previousDueMs = -1;
        for (int left = 2_000; left > 0; left--) {
            PendingDelivery front = outbox.due(DESK, 10_000, 1).due().get(0);
            assertThat(front.dueAtMs()).isGreaterThan(previousDueMs);
            previousDueMs = front.dueAtMs();
            outbox.finish(front, report(Delivery.Outcome.DELIVERED, 1));
        }
        assertThat(outbox.due(DESK, 10_000, 1).due()).isEmpty();
    }

    protected String alertOf(PendingDelivery delivery) {
        return Json.decode(outbox.alert(delivery.alertSeq()).json(), dev.vigil.event.Alert.class)
                .alertId();
    }

    protected static Delivery report(Delivery.Outcome outcome, int attempt) {
        return new Delivery(
                "alert", "acc", TestAlerts.at(1).alert().position(), 0, 0, DESK, attempt, outcome, null, null, 0, 0);
    }

    private static Delivery report(TestAlerts alert, Delivery.Outcome outcome) {
        return new Delivery(
                alert.id(), alert.account(), alert.alert().position(), 0, 0, DESK, 1, outcome, null, null, 0, 0);
    }

    private static String text(NumberedRecord record) {
        return new String(record.outgoing().value(), StandardCharsets.UTF_8);
    }
}
