package dev.vigil.alerting.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.alerting.AlertAgain;
import dev.vigil.alerting.BatchBuilder;
import dev.vigil.alerting.CooldownMark;
import dev.vigil.alerting.DisabledEndpoint;
import dev.vigil.alerting.IntakeBatch;
import dev.vigil.alerting.NumberedRecord;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutboxContract;
import dev.vigil.alerting.OutgoingRecord;
import dev.vigil.alerting.PendingDelivery;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.event.Delivery;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbOutboxTest extends OutboxContract {
    @TempDir
    private Path directory;

    @Override
    protected Outbox open() {
        return RocksDbOutbox.open(directory);
    }

    @Test
    void shouldGoOnWhereItWasAfterReopening() {
        outbox.accept(new BatchBuilder()
                .next(ALERTS_0, 12)
                .passed(LOG_0, 40)
                .alert(TestAlerts.at(40), 1_000, DESK, AUDIT)
                .outgoing("owed")
                .build());
        PendingDelivery first = outbox.due(DESK, 1_000, 1).due().get(0);
        PendingDelivery retry = new PendingDelivery(DESK, first.alertSeq(), 3_000, 1, 1_000);
        outbox.reschedule(first, retry, report(Delivery.Outcome.FAILED, 1));
        outbox.disable(new DisabledEndpoint(AUDIT, "fingerprint", 5));
        List<NumberedRecord> owed = outbox.unpublished(0, 10);

        reopen();

        assertThat(outbox.nextOffset(ALERTS_0)).hasValue(12);
        assertThat(outbox.passedOffset(LOG_0)).hasValue(40);
        assertThat(outbox.due(DESK, 3_000, 10).due()).containsExactly(retry);
        assertThat(outbox.alert(first.alertSeq()).json())
                .isEqualTo(TestAlerts.at(40).json());
        assertThat(outbox.alert(first.alertSeq()).caseId())
                .isEqualTo("case-of-" + TestAlerts.at(40).id());
        assertThat(outbox.disabled(AUDIT)).isPresent();
        assertThat(outbox.unpublished(0, 10)).extracting(NumberedRecord::seq).containsExactly(1L, 2L);
        assertThat(outbox.unpublished(0, 10).get(0).outgoing()).satisfies(record -> {
            OutgoingRecord before = owed.get(0).outgoing();
            assertThat(record.key()).isEqualTo(before.key());
            assertThat(record.value()).isEqualTo(before.value());
            assertThat(record.headers()).containsOnlyKeys("h");
        });
        assertThat(outbox.counts().endpoint(DESK).failedAttempts()).isOne();
    }

    @Test
    void shouldKeepTheOrderOfAccountsAndWhatIsRedeliveredAfterReopening() {
        TestAlerts first = TestAlerts.at(1).of("acc");
        TestAlerts second = TestAlerts.at(2).of("acc");
        outbox.accept(new BatchBuilder()
                .inOrder(first, 0, DESK)
                .inOrder(second, 0, DESK)
                .build());
        outbox.redeliver(AUDIT, List.of(new AlertAgain(first.id(), first.account(), first.json())), false, 5);

        reopen();

        assertThat(outbox.isRedelivery(first.id(), AUDIT)).isTrue();
        PendingDelivery head = outbox.due(DESK, 9, 9).due().get(0);
        assertThat(outbox.due(DESK, 9, 9).due()).hasSize(1);
        outbox.finish(head, report(Delivery.Outcome.DELIVERED, 1));
        reopen();
        assertThat(outbox.due(DESK, 9, 9).due()).extracting(this::alertOf).containsExactly(second.id());
        outbox.accept(
                new BatchBuilder().inOrder(TestAlerts.at(3).of("acc"), 0, DESK).build());
        assertThat(outbox.due(DESK, 9, 9).due()).extracting(this::alertOf).containsExactly(second.id());
    }

    @Test
    void shouldNotReuseNumbersAfterReopening() {
        outbox.accept(new BatchBuilder()
                .alert(TestAlerts.at(1), 0, DESK)
                .outgoing("a")
                .build());
        PendingDelivery first = outbox.due(DESK, 0, 1).due().get(0);
        outbox.finish(first, report(Delivery.Outcome.DELIVERED, 1));
        outbox.published(outbox.unpublished(0, 10));

        reopen();
        outbox.accept(new BatchBuilder()
                .alert(TestAlerts.at(2), 0, DESK)
                .outgoing("b")
                .build());

        assertThat(outbox.due(DESK, 0, 1).due().get(0).alertSeq()).isGreaterThan(first.alertSeq());
        assertThat(outbox.unpublished(2, 10)).hasSize(1);
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() {
        assertThatThrownBy(() -> RocksDbOutbox.open(directory))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("in use by another process");
    }

    @Test
    void shouldTakeUpAnOutboxFromBeforeThereWereCases() {
        TestAlerts sent = TestAlerts.at(1).of("acc").coolingFor(Duration.ofMinutes(15));
        CooldownMark mark = new CooldownMark(new CooldownMark.Group("card-fraud", "acc"), 0, sent.id(), 1_000, 2_000);
        outbox.accept(new BatchBuilder().mark(mark).alert(sent, 0, DESK).build());
        long alertSeq = outbox.due(DESK, 0, 1).due().get(0).alertSeq();
        outbox.close();
        try (OutboxDatabase database = OutboxDatabase.open(directory)) {
            database.write(batch -> {
                batch.put(OutboxKeys.FORMAT, new byte[] {1});
                batch.put(OutboxKeys.COUNTS, OutboxValues.text("""
                        {"intake": {"alerts": 5, "suppressed": 2, "unrouted": 1}, "endpoints": {}}"""));
                batch.delete(OutboxKeys.caseOf(alertSeq));
            });
        }

        outbox = open();

        assertThat(outbox.mark(mark.group())).contains(mark);
        assertThat(outbox.alert(alertSeq).caseId()).isNull();
        assertThat(outbox.alert(alertSeq).json()).isEqualTo(sent.json());
        assertThat(outbox.counts().intake().cooledDown()).isEqualTo(2);
        assertThat(outbox.counts().intake().cases()).isEqualTo(IntakeBatch.CaseCounts.ZERO);
    }

    @Test
    void shouldRefuseAnotherFormat() throws Exception {
        outbox.close();
        try (OutboxDatabase database = OutboxDatabase.open(directory)) {
            database.write(batch -> batch.put(OutboxKeys.FORMAT, new byte[] {9}));
        }
        assertThatThrownBy(() -> RocksDbOutbox.open(directory))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("expected format 2, found 9");
    }

    @Test
    void shouldRefuseAPlaceThatIsNoDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");
        assertThatThrownBy(() -> RocksDbOutbox.open(file))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("expected a directory to write to");
    }

    private void reopen() {
        outbox.close();
        outbox = open();
    }
}
