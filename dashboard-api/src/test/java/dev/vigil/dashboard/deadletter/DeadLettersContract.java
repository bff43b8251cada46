package dev.vigil.dashboard.deadletter;

import static dev.vigil.dashboard.deadletter.Letters.bytes;
import static dev.vigil.dashboard.deadletter.Letters.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.vigil.dashboard.deadletter.InMemoryDeadLetters.PutBack;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every {@link DeadLetters} does, over two partitions. */
public abstract class DeadLettersContract {
    protected static final long START_MS = 1_700_000_000_000L;

    protected abstract DeadLetters letters();

    /** Sets a letter aside. */
    protected abstract LetterPosition add(
            int partition, long atMs, byte @Nullable [] key, byte @Nullable [] value, List<LetterHeader> headers);

    protected abstract String intakeTopic();

    /** Everything that was put back, in the order of each partition. */
    protected abstract List<PutBack> putBack();

    private LetterPosition add(int partition, long atMs, List<LetterHeader> headers) {
        return add(partition, atMs, bytes("acc-1"), bytes("{}"), headers);
    }

    private static List<LetterHeader> bad(long offset) {
        return Letters.ofEngine(Reason.BAD_AMOUNT, "amount: expected a decimal number", 0, offset);
    }

    @Test
    void shouldListNewestFirstOverAllPartitions() {
        LetterPosition first = add(1, START_MS, bad(0));
        LetterPosition second = add(0, START_MS + 1, bad(1));
        LetterPosition third = add(1, START_MS + 2, bad(2));

        LetterPage page = letters().list(LetterFilter.ALL, 10, null);

        assertThat(page.next()).isNull();
        assertThat(page.letters()).extracting(LetterSummary::position).containsExactly(third, second, first);
        LetterSummary newest = page.letters().get(0);
        assertThat(newest.reason()).isEqualTo("bad_amount");
        assertThat(newest.stage()).isEqualTo("scoring-engine");
        assertThat(newest.detail()).isEqualTo("amount: expected a decimal number");
        assertThat(newest.atMs()).isEqualTo(START_MS + 2);
        assertThat(newest.bytes()).isEqualTo(2);
        assertThat(newest.retried()).isNull();
        assertThat(newest.notRetryable()).isNull();
        assertThat(String.valueOf(newest.origin())).endsWith(".events:0:2");
    }

    @Test
    void shouldTellEachLetterOnceWhateverTheSizeOfThePages() {
        Random random = new Random(7);
        List<LetterPosition> newestFirst = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            newestFirst.add(0, add(random.nextInt(2), START_MS + i, bad(i)));
        }
        for (int limit : new int[] {1, 7, 70, 100}) {
            List<LetterPosition> told = new ArrayList<>();
            String cursor = null;
            do {
                LetterPage page = letters().list(LetterFilter.ALL, limit, cursor);
                assertThat(page.letters()).hasSizeLessThanOrEqualTo(limit);
                page.letters().forEach(letter -> told.add(letter.position()));
                cursor = page.next();
            } while (cursor != null);
            assertThat(told).as("pages of " + limit).isEqualTo(newestFirst);
        }
    }

    @Test
    void shouldListOnlyWhatTheFilterMeans() {
        LetterPosition old = add(0, START_MS, bad(0));
        LetterPosition ofIntake =
                add(0, START_MS + 1_000, Letters.ofIntake(intakeTopic(), Reason.MALFORMED_JSON, "not JSON", 0, 4));
        LetterPosition young = add(1, START_MS + 2_000, bad(2));

        assertThat(listed(new LetterFilter("malformed_json", null, Long.MIN_VALUE, Long.MAX_VALUE)))
                .containsExactly(ofIntake);
        assertThat(listed(new LetterFilter(null, "scoring-engine", Long.MIN_VALUE, Long.MAX_VALUE)))
                .containsExactly(young, old);
        assertThat(listed(new LetterFilter(null, null, START_MS + 1_000, START_MS + 2_000)))
                .containsExactly(ofIntake);
        assertThat(listed(new LetterFilter("bad_amount", "intake", Long.MIN_VALUE, Long.MAX_VALUE)))
                .isEmpty();
        assertThat(listed(new LetterFilter(null, null, START_MS + 3_000, Long.MAX_VALUE)))
                .isEmpty();
    }

    private List<LetterPosition> listed(LetterFilter filter) {
        return letters().list(filter, 100, null).letters().stream()
                .map(LetterSummary::position)
                .toList();
    }

    @Test
    void shouldRefuseACursorOfSomethingElse() {
        add(0, START_MS, bad(0));
        for (String cursor : new String[] {"x", "1.2.3.4.5", "-1.0", "99999999999999999999.1"}) {
            assertThatIllegalArgumentException()
                    .as(cursor)
                    .isThrownBy(() -> letters().list(LetterFilter.ALL, 1, cursor));
        }
    }

    @Test
    void shouldFindALetterByteForByteAndNothingWhereNoneIs() {
        byte[] value = {(byte) 0xff, (byte) 0xff, 0};
        LetterPosition position = add(1, START_MS, null, value, bad(3));

        StoredLetter found = letters().find(position).orElseThrow();
        assertThat(found.value()).isEqualTo(value);
        assertThat(found.key()).isNull();
        assertThat(found.header("ce_id")).isEqualTo("e-3");
        assertThat(letters().find(new LetterPosition(1, position.offset() + 1))).isEmpty();
        assertThat(letters().find(new LetterPosition(7, 0))).isEmpty();
    }

    @Test
    void shouldPutARecordBackAsItCameAndMarkTheLetter() {
        List<LetterHeader> original = List.of(header("ce_id", "e-9"), header("trace", "abc"), header("ce_id", "e-10"));
        LetterPosition position = add(
                1,
                START_MS,
                bytes("acc-7"),
                bytes("{\"amount\":\"x\"}"),
                Letters.with(
                        original,
                        new DeadLetter(
                                Reason.BAD_AMOUNT,
                                DeadLetter.ENGINE_STAGE,
                                "amount: expected a number",
                                new SourcePosition("topic-id", 1, 44))));
        LetterPosition other = add(0, START_MS, bad(0));

        List<RetryOutcome> outcomes = letters().retry(new TreeSet<>(List.of(position)));

        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.get(0).refusal()).isNull();
        assertThat(putBack()).hasSize(1);
        PutBack record = putBack().get(0);
        assertThat(record.topic()).endsWith(".events");
        assertThat(record.partition()).isEqualTo(1);
        assertThat(record.key()).isEqualTo(bytes("acc-7"));
        assertThat(record.value()).isEqualTo(bytes("{\"amount\":\"x\"}"));
        assertThat(record.headers()).extracting(LetterHeader::name).containsExactly("ce_id", "trace", "ce_id");
        assertThat(record.headers().get(2).value()).isEqualTo(bytes("e-10"));
        List<LetterSummary> listed = letters().list(LetterFilter.ALL, 10, null).letters();
        for (LetterSummary letter : listed) {
            assertThat(letter.retried() != null).isEqualTo(letter.position().equals(position));
            assertThat(letter.position()).isIn(position, other);
        }
        StoredLetter stored = letters().find(position).orElseThrow();
        RetryMark mark = letters().summary(stored).retried();
        assertThat(mark).isNotNull();
        assertThat(mark.into()).isEqualTo(outcomes.get(0).into());
    }

    @Test
    void shouldPutWhatTheIntakeRefusedBackIntoTheIntake() {
        LetterPosition position = add(
                0,
                START_MS,
                bytes("any key"),
                new byte[] {(byte) 0xff, (byte) 0xff},
                Letters.ofIntake(intakeTopic(), Reason.MALFORMED_JSON, "not JSON", 1, 5));

        letters().retry(new TreeSet<>(List.of(position)));

        PutBack record = putBack().get(0);
        assertThat(record.topic()).endsWith(".intake");
        assertThat(record.partition()).isEqualTo(1);
        assertThat(record.key()).isEqualTo(bytes("any key"));
        assertThat(record.headers()).isEmpty();
    }

    @Test
    void shouldPutManyBackInTheirOrderAndTellOfEach() {
        TreeSet<LetterPosition> wanted = new TreeSet<>();
        for (int i = 0; i < 250; i++) {
            LetterPosition position = add(0, START_MS + i, bytes("acc-1"), bytes("{\"n\":" + i + "}"), bad(i));
            if (i % 3 != 0) {
                wanted.add(position);
            }
        }
        LetterPosition row = add(1, START_MS, Letters.of(Reason.BAD_FIELD, "cdc-ingest"));
        wanted.add(row);
        LetterPosition nothing = new LetterPosition(1, 1_000);
        wanted.add(nothing);

        List<RetryOutcome> outcomes = letters().retry(wanted);

        assertThat(outcomes).extracting(RetryOutcome::position).containsExactlyElementsOf(wanted);
        assertThat(outcomes.stream().filter(outcome -> outcome.into() == null))
                .extracting(RetryOutcome::position)
                .containsExactly(row, nothing);
        assertThat(outcomes.get(outcomes.size() - 1).refusal()).isEqualTo(RetryOutcome.GONE);
        List<Integer> numbers = putBack().stream()
                .map(record -> Integer.parseInt(Letters.text(record.value()).replaceAll("\\D", "")))
                .toList();
        assertThat(numbers).hasSize(166).isSorted();
    }

    @Test
    void shouldPutBackAgainWhatWasPutBackBefore() {
        LetterPosition position = add(0, START_MS, bad(0));

        letters().retry(new TreeSet<>(List.of(position)));
        String second = letters().retry(new TreeSet<>(List.of(position))).get(0).into();

        assertThat(putBack()).hasSize(2);
        RetryMark mark =
                letters().list(LetterFilter.ALL, 1, null).letters().get(0).retried();
        assertThat(mark).isNotNull();
        assertThat(mark.into()).isEqualTo(second);
    }

    @Test
    void shouldNotPutBackWhatHasStarsInPlaceOfACardNumber() {
        List<LetterHeader> headers =
                new ArrayList<>(Letters.ofIntake(intakeTopic(), Reason.CARD_NUMBER, "looks like one", 0, 1));
        headers.add(header(DeadLetter.MASKED_HEADER, "true"));
        LetterPosition position = add(0, START_MS, headers);

        assertThat(letters().retry(new TreeSet<>(List.of(position))).get(0).refusal())
                .startsWith("stars stand in it where card numbers did");
        assertThat(putBack()).isEmpty();
    }

    @Test
    void shouldSayWhyALetterCannotBePutBack() {
        add(0, START_MS, Letters.of(Reason.BAD_FIELD, "cdc-ingest"));
        add(0, START_MS + 1, Letters.of(Reason.MALFORMED_JSON, "lakehouse-sink"));
        add(0, START_MS + 2, List.of());
        add(0, START_MS + 3, Letters.of(Reason.MALFORMED_JSON, DeadLetter.INTAKE_STAGE));
        List<LetterHeader> policy = new ArrayList<>(bad(1));
        policy.add(header("ce_type", "vigil.policy"));
        add(0, START_MS + 4, policy);
        add(
                0,
                START_MS + 5,
                null,
                null,
                Letters.ofIntake(intakeTopic(), Reason.TOO_LARGE, "larger than letters are", 0, 1));

        assertThat(letters().list(LetterFilter.ALL, 10, null).letters())
                .extracting(LetterSummary::notRetryable)
                .containsExactly(
                        "it could not be kept; it stands in its topic for as long as that keeps records",
                        "policies and ticks are not put back; 'vigil policy apply' activates a policy",
                        "its headers do not say where it came from",
                        "no service of this Vigil set it aside",
                        "an output of the engine that another service could not read; it stands in its topic as before",
                        "a row of the database is no record; mend it there, and read it again with 'vigil cdc snapshot TABLE --where …'");
        assertThat(letters().list(LetterFilter.ALL, 10, null).letters().get(3).reason())
                .isEqualTo("unknown");
    }
}
