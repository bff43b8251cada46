package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.alerting.IntakeRecord.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RecordMergeTest {
    private final RecordMerge merge = new RecordMerge();

    @Test
    void shouldTakeByTimestampAndAlertsFirst() {
        expect(0, 2, 2);
        merge.add(record(Kind.ACTION, 0, 0, 10));
        merge.add(record(Kind.ACTION, 0, 1, 20));
        merge.add(record(Kind.ALERT, 0, 0, 20));
        merge.add(record(Kind.ALERT, 0, 1, 30));
        merge.reached(Kind.ALERT, 0, 2);
        merge.reached(Kind.ACTION, 0, 2);

        assertThat(taken()).containsExactly("action-0", "alert-0", "action-1", "alert-1");
    }

    @Test
    void shouldWaitForWhatStoodInTheOtherTopicWhenReadingBegan() {
        expect(0, 1, 1);
        merge.add(record(Kind.ALERT, 0, 0, 20));
        merge.reached(Kind.ALERT, 0, 1);
        assertThat(taken()).isEmpty();

        merge.add(record(Kind.ACTION, 0, 0, 10));
        merge.reached(Kind.ACTION, 0, 1);
        assertThat(taken()).containsExactly("action-0", "alert-0");
    }

    @Test
    void shouldNotWaitForWhatCameLater() {
        expect(0, 0, 0);
        merge.add(record(Kind.ALERT, 0, 0, 20));

        assertThat(taken()).containsExactly("alert-0");
    }

    @Test
    void shouldGoOnWhereTheEndIsReachedWithoutARecord() {
        expect(0, 1, 5);
        merge.add(record(Kind.ALERT, 0, 0, 20));
        merge.reached(Kind.ACTION, 0, 4);
        assertThat(taken()).isEmpty();

        merge.reached(Kind.ACTION, 0, 5);
        assertThat(taken()).containsExactly("alert-0");
    }

    @Test
    void shouldNotLetAPartitionWaitForAnother() {
        expect(0, 1, 1);
        expect(1, 1, 0);
        merge.add(record(Kind.ALERT, 0, 0, 20));
        merge.add(record(Kind.ALERT, 1, 7, 20));

        assertThat(taken()).containsExactly("alert-7");
    }

    @Test
    void shouldHoldBackBoundedNumbersOfEachKind() {
        expect(0, 1_000, 1);
        int added = 0;
        while (merge.hasRoom(Kind.ALERT, 0)) {
            merge.add(record(Kind.ALERT, 0, added, 20));
            added++;
        }

        assertThat(added).isEqualTo(500);
        assertThat(merge.hasRoom(Kind.ACTION, 0)).isTrue();
        assertThat(taken()).isEmpty();
        merge.add(record(Kind.ACTION, 0, 0, 30));
        merge.reached(Kind.ACTION, 0, 1);
        assertThat(taken()).hasSize(added);
        assertThat(merge.hasRoom(Kind.ALERT, 0)).isTrue();
    }

    @Test
    void shouldForgetAllWhenItBeginsAnew() {
        expect(0, 1, 1);
        merge.add(record(Kind.ALERT, 0, 0, 20));
        merge.clear();
        expect(0, 0, 0);

        assertThat(taken()).isEmpty();
    }

    @Test
    void shouldGiveTheSameOrderHoweverReadingIsCut() {
        for (long seed = 1; seed <= 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<IntakeRecord> alerts = series(random, Kind.ALERT);
            List<IntakeRecord> actions = series(random, Kind.ACTION);

            assertThat(read(random, alerts, actions)).as("seed %s", seed).isEqualTo(read(random, alerts, actions));
        }
    }

    private static List<IntakeRecord> series(SplittableRandom random, Kind kind) {
        List<IntakeRecord> series = new ArrayList<>();
        long timestampMs = 0;
        int count = random.nextInt(20);
        for (int offset = 0; offset < count; offset++) {
            timestampMs += random.nextInt(-2, 6);
            series.add(record(kind, 0, offset, timestampMs));
        }
        return series;
    }

    /** In polls of random sizes, all of which stood there before. */
    private List<String> read(SplittableRandom random, List<IntakeRecord> alerts, List<IntakeRecord> actions) {
        merge.clear();
        expect(0, alerts.size(), actions.size());
        List<String> order = new ArrayList<>();
        int alert = 0;
        int action = 0;
        while (alert < alerts.size() || action < actions.size()) {
            for (int i = random.nextInt(4); i > 0 && alert < alerts.size(); i--) {
                merge.add(alerts.get(alert++));
            }
            for (int i = random.nextInt(4); i > 0 && action < actions.size(); i--) {
                merge.add(actions.get(action++));
            }
            merge.reached(Kind.ALERT, 0, alert);
            merge.reached(Kind.ACTION, 0, action);
            order.addAll(taken());
        }
        assertThat(order).hasSize(alerts.size() + actions.size());
        return order;
    }

    private void expect(int partition, long alerts, long actions) {
        merge.expect(Kind.ALERT, partition, alerts);
        merge.expect(Kind.ACTION, partition, actions);
    }

    private List<String> taken() {
        return merge.take().stream()
                .map(record -> record.kind().label() + "-" + record.offset())
                .toList();
    }

    private static IntakeRecord record(Kind kind, int partition, long offset, long timestampMs) {
        return new IntakeRecord(kind, partition, offset, timestampMs, null, new byte[0], Map.of());
    }
}
