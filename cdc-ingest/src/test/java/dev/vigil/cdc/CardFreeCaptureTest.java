package dev.vigil.cdc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.RowChange.Operation;
import dev.vigil.cdc.rocksdb.CaptureStore;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.card.CardKey;
import dev.vigil.event.card.CardNumberConfig;
import dev.vigil.event.card.CardNumberConfig.Mode;
import dev.vigil.event.card.CardTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Card numbers in columns of every use, over a real store. Numbers are the schemes' published test numbers. */
final class CardFreeCaptureTest {
    private static final String PAN = "4111111111111111";
    private static final String OTHER_PAN = "5105105105105100";
    private static final CardKey OLD = new CardKey("k1", "0123456789abcdef0123456789abcdef".getBytes(US_ASCII));
    private static final CardKey NEW = new CardKey("k2", "fedcba9876543210fedcba9876543210".getBytes(US_ASCII));
    private static final long NOON_US = 1_767_268_800_000_000L;
    private static final String CARDS = "public.cards";
    private static final String PAYMENTS = "public.payments";
    private static final String LIMITS = "public.limits";
    private static final AccountSource.Column ACCOUNT = new AccountSource.Column("account");

    private static final class Sent implements ChangeOutput {
        private final List<EventEnvelope> events = new ArrayList<>();
        private final List<MappedRow.Refused> letters = new ArrayList<>();

        @Override
        public void publish(EventEnvelope event) {
            events.add(event);
        }

        @Override
        public void deadLetter(MappedRow.Refused refused) {
            letters.add(refused);
        }

        String everything() {
            StringBuilder all = new StringBuilder();
            events.forEach(
                    event -> all.append(event.id()).append(event.subject()).append(new String(event.data(), UTF_8)));
            letters.forEach(letter -> all.append(letter.key())
                    .append(letter.headers())
                    .append(letter.deadLetter())
                    .append(new String(letter.value(), UTF_8)));
            return all.toString();
        }
    }

    @TempDir
    Path directory;

    private final Sent sent = new Sent();
    private @Nullable CaptureStore store;

    @AfterEach
    void closeStore() {
        if (store != null) {
            store.close();
        }
    }

    @Test
    void shouldGiveOneCardOneTokenFromColumnsOfEveryKind() throws Exception {
        ChangeProcessor processor = processor(Mode.TOKENISE, Set.of(), OLD);

        processor.process(payment(new ColumnValue.Text("paid with 4111 1111 1111 1111"), text("a1")));
        processor.process(payment(new ColumnValue.Whole(4_111_111_111_111_111L), text("a1")));
        processor.process(payment(new ColumnValue.Decimal("4111111111111111.00"), text("a1")));
        processor.process(payment(new ColumnValue.Floating(4.111111111111111E15), text("a1")));

        String token = new CardTokens(List.of(OLD)).token(PAN);
        assertThat(sent.events)
                .extracting(event -> new String(event.data(), UTF_8))
                .containsExactly(
                        "{\"note\":\"paid with " + token + "\"}",
                        "{\"note\":\"" + token + "\"}",
                        "{\"note\":\"" + token + "\"}",
                        "{\"note\":\"" + token + "\"}");
        assertThat(sent.letters).isEmpty();
    }

    @Test
    void shouldPutTokensIntoIdentitiesAndAccounts() throws Exception {
        ChangeProcessor processor = processor(Mode.TOKENISE, Set.of(), OLD);

        processor.process(limit(Operation.INSERT, PAN, OTHER_PAN, 7));
        processor.process(limit(Operation.UPDATE, PAN, "a2", 8));
        processor.process(limit(Operation.DELETE, PAN, null, 9));

        String id = new CardTokens(List.of(OLD)).token(PAN);
        String account = new CardTokens(List.of(OLD)).token(OTHER_PAN);
        assertThat(sent.events)
                .extracting(EventEnvelope::id)
                .containsExactly(id + "@0/7", id + "@0/8:moved", id + "@0/8", id + "@0/9");
        assertThat(sent.events).extracting(EventEnvelope::subject).containsExactly(account, account, "a2", "a2");
        assertNothingOfACard();
    }

    @Test
    void shouldRefuseRowsAndKeepThemWithoutTheNumber() throws Exception {
        ChangeProcessor processor = processor(Mode.REFUSE, Set.of());

        processor.process(payment(new ColumnValue.Whole(4_111_111_111_111_111L), text("a1")));
        processor.process(limit(Operation.INSERT, PAN, "a1", 7));
        processor.process(payment(text("4111111111111112"), text("a1")));

        assertThat(sent.letters)
                .extracting(letter -> letter.deadLetter().reason())
                .containsExactly(Reason.CARD_NUMBER, Reason.CARD_NUMBER);
        assertThat(sent.letters.get(0).deadLetter().detail())
                .isEqualTo("public.payments: note: looks like a payment card number (411111******1111)");
        assertThat(new String(sent.letters.get(0).value(), UTF_8))
                .contains("\"note\":\"(looks like a payment card number (411111******1111))\"");
        assertThat(sent.letters.get(1).key()).contains("411111******1111");
        assertThat(sent.events).hasSize(1);
        assertNothingOfACard();
    }

    /** Nothing of such a card is published, whatever becomes of the numbers that would be. */
    @ParameterizedTest
    @ValueSource(strings = {"REFUSE", "TOKENISE"})
    void shouldFindAccountsByCardNumberWithoutKeepingIt(String mode) throws Exception {
        ChangeProcessor processor = processor(Mode.valueOf(mode), Set.of(), OLD);

        processor.process(card(Operation.INSERT, PAN, "a1"));
        processor.process(payment(text("lunch"), text("4111 1111 1111 1111")));
        processor.process(payment(text("lunch"), text(OTHER_PAN)));
        assertThat(store().waitingCount()).isEqualTo(1);
        processor.process(card(Operation.INSERT, OTHER_PAN, "a2"));
        processor.process(card(Operation.DELETE, PAN, null));
        processor.process(payment(text("lunch"), text(PAN)));

        assertThat(sent.events).extracting(EventEnvelope::subject).containsExactly("a1", "a2");
        assertThat(store().waitingCount()).isEqualTo(1);
        assertNothingOfACard();
    }

    @Test
    void shouldSayThatFindingRowsByCardNumberTakesKeys() throws Exception {
        ChangeProcessor processor = processor(Mode.REFUSE, Set.of());

        processor.process(card(Operation.INSERT, PAN, "a1"));

        assertThat(sent.letters.get(0).deadLetter().detail())
                .endsWith("(411111******1111); to find rows by it, card-numbers needs keys");
        assertNothingOfACard();
    }

    @Test
    void shouldFindRowsUnderEarlierKeysAndUnderThoseInUse() throws Exception {
        ChangeProcessor before = processor(Mode.TOKENISE, Set.of(), OLD);
        before.process(card(Operation.INSERT, PAN, "a1"));
        before.process(payment(text("waits"), text(OTHER_PAN)));
        before.process(limit(Operation.INSERT, PAN, "a1", 7));
        store().commit(CapturePosition.NONE, true);
        store().close();
        ChangeProcessor after = processor(Mode.TOKENISE, Set.of(), NEW, OLD);

        after.process(payment(text("first"), text(PAN)));
        after.process(card(Operation.INSERT, OTHER_PAN, "a2"));
        after.process(limit(Operation.UPDATE, PAN, "a3", 8));

        assertThat(sent.events).extracting(EventEnvelope::subject).containsExactly("a1", "a1", "a2", "a1", "a3");
        assertThat(sent.events.get(2).data()).asString(UTF_8).contains("waits");
        after.process(card(Operation.UPDATE, PAN, "a4"));
        store().commit(CapturePosition.NONE, true);
        store().close();
        ChangeProcessor later = processor(Mode.TOKENISE, Set.of(), NEW);
        later.process(payment(text("last"), text(PAN)));
        assertThat(sent.events.get(5).subject()).isEqualTo("a4");
        assertNothingOfACard();
    }

    @Test
    void shouldLeaveColumnsAloneThatAreKnownToHoldOtherNumbers() throws Exception {
        ChangeProcessor processor = processor(Mode.REFUSE, Set.of(PAYMENTS + ".note"));

        processor.process(payment(new ColumnValue.Whole(4_111_111_111_111_111L), text("a1")));
        processor.process(limit(Operation.INSERT, PAN, "a1", 7));

        assertThat(new String(sent.events.get(0).data(), UTF_8)).isEqualTo("{\"note\":4111111111111111}");
        assertThat(sent.letters).hasSize(1);
    }

    /** Sent or on the disk, in digits. */
    private void assertNothingOfACard() throws IOException {
        store().commit(CapturePosition.NONE, true);
        assertThat(sent.everything()).doesNotContain(PAN, OTHER_PAN, "4111 1111");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(PAN, OTHER_PAN, "4111 1111");
            }
        }
    }

    private CaptureStore store() {
        return java.util.Objects.requireNonNull(store);
    }

    private ChangeProcessor processor(Mode mode, Set<String> exempt, CardKey... keys) throws InterruptedException {
        CdcConfig config = new CdcConfig(
                DatabaseConfig.postgresql("db", 5432, "u", "secret", "bank", "prefer"),
                "vigil",
                "vigil",
                Duration.ofSeconds(5),
                LookupConfig.defaults(),
                false,
                new CardNumberConfig(mode, List.of(keys)),
                exempt,
                List.of(
                        new LookupTable(CARDS, "card", List.of(), ACCOUNT),
                        new ReferenceTable(LIMITS, "limit", List.of(), ACCOUNT, null, Map.of("limit", "limit")),
                        new EventTable(
                                PAYMENTS,
                                "payment",
                                List.of(),
                                new AccountSource.Lookup("card", CARDS, List.of("pan"), ACCOUNT),
                                "at",
                                Map.of("note", "note"))));
        store = CaptureStore.open(directory, "vigil");
        ChangeProcessor processor = new ChangeProcessor(
                new RowMapper(config), config.lookups(), store, sent, new ChangeCounts(300_000_000));
        processor.process(card(Operation.INSERT, "a1", "a1"));
        return processor;
    }

    private static ColumnValue text(String text) {
        return new ColumnValue.Text(text);
    }

    /** @param pan as the payment names its card; {@code a1} is one whose account is {@code a1} */
    private RowChange payment(ColumnValue note, ColumnValue pan) {
        return change(
                Operation.INSERT,
                PAYMENTS,
                MapRow.of("id", new ColumnValue.Whole(sent.events.size())),
                new MapRow(Map.of("note", note, "pan", pan, "at", new ColumnValue.Time(NOON_US))),
                1);
    }

    private static RowChange card(Operation operation, String pan, @Nullable String account) {
        return change(
                operation,
                CARDS,
                MapRow.of("pan", text(pan)),
                account == null ? null : new MapRow(Map.of("pan", text(pan), "account", text(account))),
                1);
    }

    private static RowChange limit(Operation operation, String pan, @Nullable String account, long lsn) {
        MapRow after = account == null
                ? null
                : new MapRow(
                        Map.of("pan", text(pan), "account", text(account), "limit", new ColumnValue.Decimal("10.00")));
        return change(operation, LIMITS, MapRow.of("pan", text(pan)), after, lsn);
    }

    private static RowChange change(Operation operation, String table, MapRow key, @Nullable MapRow after, long lsn) {
        return new RowChange(operation, table, key, null, after, lsn, NOON_US);
    }
}
