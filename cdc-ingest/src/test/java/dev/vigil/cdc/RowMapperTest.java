package dev.vigil.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.vigil.cdc.RowChange.Operation;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.card.CardNumberConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RowMapperTest {

    private static final long NOON_US = 1_767_268_800_000_000L;
    private static final long LSN = 0x16B3748L;

    private final RowMapper mapper = new RowMapper(new CdcConfig(
            DatabaseConfig.postgresql("db", 5432, "u", "secret", "bank", "prefer"),
            "vigil",
            "vigil",
            Duration.ofSeconds(5),
            LookupConfig.defaults(),
            false,
            CardNumberConfig.defaults(),
            Set.of(),
            List.of(
                    new ReferenceTable(
                            "public.accounts",
                            "account",
                            List.of(),
                            column("account_id"),
                            null,
                            Map.of("limit", "credit_limit")),
                    new EventTable(
                            "public.transactions",
                            "transaction",
                            List.of(),
                            column("account_id"),
                            "created_at",
                            fields("amount", "amount", "lat", "lat")),
                    new LabelTable(
                            "public.labels",
                            "fraud",
                            "/cdc/bank/public.transactions",
                            List.of(),
                            List.of("transaction_id"),
                            column("account_id"),
                            "is_fraud",
                            "labelled_at"))));

    @Test
    void shouldGiveSnapshotAndStreamTheSameIdentityAndOnlyTheSnapshotBackfill() {
        EventEnvelope snapshot = event(mapper.map(payment(Operation.SNAPSHOT, paymentRow()), References.NONE));
        EventEnvelope stream = event(mapper.map(payment(Operation.INSERT, paymentRow()), References.NONE));

        assertThat(snapshot.id()).isEqualTo("42").isEqualTo(stream.id());
        assertThat(snapshot.source()).isEqualTo("/cdc/bank/public.transactions").isEqualTo(stream.source());
        assertThat(snapshot.backfill()).isTrue();
        assertThat(stream.backfill()).isFalse();
        assertThat(stream.type()).isEqualTo("transaction");
        assertThat(stream.subject()).isEqualTo("a1");
        assertThat(stream.timeUs()).isEqualTo(NOON_US);
        assertThat(text(stream)).isEqualTo("{\"amount\":\"57.10\",\"lat\":1.5}").isEqualTo(text(snapshot));
    }

    @ParameterizedTest
    @EnumSource(names = {"UPDATE", "DELETE", "TRUNCATE"})
    void shouldSkipWhatHappensToAnEventsRowLater(Operation operation) {
        assertThat(mapper.map(payment(operation, paymentRow()), References.NONE))
                .isInstanceOf(MappedRow.Skipped.class);
    }

    @Test
    void shouldLeaveNullsOut() {
        MapRow row = paymentRow().with("lat", new ColumnValue.Null());

        assertThat(text(event(mapper.map(payment(Operation.INSERT, row), References.NONE))))
                .isEqualTo("{\"amount\":\"57.10\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NAN", "NaN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY", "Infinity", ""})
    void shouldRefuseAnAmountThatIsNoNumber(String amount) {
        MappedRow.Refused refused = refused(mapper.map(
                payment(Operation.INSERT, paymentRow().with("amount", new ColumnValue.Decimal(amount))),
                References.NONE));

        assertThat(refused.deadLetter().reason()).isEqualTo(Reason.BAD_AMOUNT);
        assertThat(refused.deadLetter().stage()).isEqualTo("cdc-ingest");
        assertThat(refused.deadLetter().detail())
                .isEqualTo("public.transactions: amount: expected a finite decimal, found " + amount);
        assertThat(refused.key()).isEqualTo("42");
        assertThat(refused.headers())
                .containsEntry("ce_source", "/cdc/bank/public.transactions")
                .containsEntry("vigil-operation", "insert")
                .containsEntry("vigil-lsn", "0/16B3748");
        assertThat(new String(refused.value(), UTF_8))
                .contains("\"account_id\":\"a1\"")
                .doesNotContain("card");
    }

    @Test
    void shouldRefuseARowWithoutAccountTimeOrReadableValue() {
        assertThat(reasonFor("account_id", new ColumnValue.Null())).isEqualTo(Reason.MISSING_ACCOUNT);
        assertThat(reasonFor("account_id", new ColumnValue.Text(""))).isEqualTo(Reason.MISSING_ACCOUNT);
        assertThat(reasonFor("created_at", new ColumnValue.Null())).isEqualTo(Reason.MISSING_TIME);
        assertThat(reasonFor("created_at", new ColumnValue.Whole(5))).isEqualTo(Reason.MISSING_TIME);
        assertThat(reasonFor("lat", new ColumnValue.Floating(Double.NaN))).isEqualTo(Reason.BAD_FIELD);
        assertThat(reasonFor("lat", new ColumnValue.Unusable(Reason.BAD_FIELD, "unchanged")))
                .isEqualTo(Reason.BAD_FIELD);
    }

    @Test
    void shouldTakeANumberAsAnAccount() {
        MapRow row = paymentRow().with("account_id", new ColumnValue.Whole(7));

        assertThat(event(mapper.map(payment(Operation.INSERT, row), References.NONE))
                        .subject())
                .isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource({"x:y, z, x%3Ay:z", "x, y:z, x:y%3Az", "100%, 3A, 100%25:3A"})
    void shouldKeepCompositeKeysApart(String first, String second, String id) {
        MapRow key = new MapRow(values("k1", new ColumnValue.Text(first), "k2", new ColumnValue.Text(second)));

        assertThat(RowReader.identity(key, key.columns())).isEqualTo(id);
    }

    @Test
    void shouldGiveEachChangeOfAReferenceRowItsOwnIdentity() {
        EventEnvelope row =
                event(mapper.map(account(Operation.UPDATE, accountRow("a1"), accountRow("a1")), References.NONE));

        assertThat(row.id()).isEqualTo("k1@0/16B3748");
        assertThat(row.type()).isEqualTo("vigil.reference.account");
        assertThat(row.subject()).isEqualTo("a1");
        assertThat(row.timeUs()).isEqualTo(NOON_US);
        assertThat(text(row)).isEqualTo("{\"limit\":\"1000.00\"}");
    }

    @Test
    void shouldRemoveAReferenceFromTheAccountThatItLeft() {
        MappedRow mapped = mapper.map(account(Operation.UPDATE, accountRow("a1"), accountRow("a2")), References.NONE);

        assertThat(published(mapped)).extracting(EventEnvelope::subject).containsExactly("a1", "a2");
        assertThat(published(mapped)).extracting(event -> event.data().length).containsExactly(0, 19);
        assertThat(published(mapped)).extracting(EventEnvelope::id).doesNotHaveDuplicates();
    }

    @Test
    void shouldTakeTheAccountOfADeletedRowOnlyFromWhatIsLoggedForSure() {
        EventEnvelope gone = event(mapper.map(account(Operation.DELETE, accountRow("a1"), null), References.NONE));
        MappedRow unknown = mapper.map(account(Operation.DELETE, null, null), References.NONE);

        assertThat(gone.subject()).isEqualTo("a1");
        assertThat(gone.data()).isEmpty();
        assertThat(refused(unknown).deadLetter().reason()).isEqualTo(Reason.MISSING_ACCOUNT);
        assertThat(refused(unknown).deadLetter().detail()).contains("REPLICA IDENTITY FULL");
    }

    @Test
    void shouldNameTheLabelledEvent() {
        EventEnvelope label = event(mapper.map(label(Operation.INSERT, new ColumnValue.Flag(true)), References.NONE));
        EventEnvelope changed =
                event(mapper.map(label(Operation.UPDATE, new ColumnValue.Flag(false)), References.NONE));

        assertThat(label.type()).isEqualTo("vigil.label");
        assertThat(label.id()).isEqualTo("9");
        assertThat(changed.id()).isEqualTo("9@0/16B3748");
        assertThat(text(label))
                .isEqualTo("{\"event_source\":\"/cdc/bank/public.transactions\",\"event_id\":\"42\","
                        + "\"label\":\"fraud\",\"value\":true}");
        assertThat(mapper.map(label(Operation.INSERT, new ColumnValue.Null()), References.NONE))
                .isInstanceOf(MappedRow.Skipped.class);
        assertThat(mapper.map(label(Operation.DELETE, new ColumnValue.Flag(true)), References.NONE))
                .isInstanceOf(MappedRow.Skipped.class);
    }

    @Test
    void shouldSkipTablesWithoutAMapping() {
        RowChange other = new RowChange(Operation.INSERT, "public.other", null, null, paymentRow(), LSN, NOON_US);

        assertThat(mapper.map(other, References.NONE)).isInstanceOf(MappedRow.Skipped.class);
    }

    private static AccountSource.Column column(String name) {
        return new AccountSource.Column(name);
    }

    private Reason reasonFor(String column, ColumnValue value) {
        return refused(mapper.map(payment(Operation.INSERT, paymentRow().with(column, value)), References.NONE))
                .deadLetter()
                .reason();
    }

    private static RowChange payment(Operation operation, MapRow row) {
        MapRow key = MapRow.of("transaction_id", new ColumnValue.Whole(42));
        MapRow after = operation == Operation.DELETE || operation == Operation.TRUNCATE ? null : row;
        return new RowChange(operation, "public.transactions", key, null, after, LSN, NOON_US + 1);
    }

    private static MapRow paymentRow() {
        return new MapRow(values("transaction_id", new ColumnValue.Whole(42), "account_id", new ColumnValue.Text("a1")))
                .with("amount", new ColumnValue.Decimal("57.10"))
                .with("lat", new ColumnValue.Floating(1.5))
                .with("card", new ColumnValue.Text("4111111111111111"))
                .with("created_at", new ColumnValue.Time(NOON_US));
    }

    private static RowChange account(Operation operation, @Nullable MapRow before, @Nullable MapRow after) {
        MapRow key = MapRow.of("id", new ColumnValue.Text("k1"));
        return new RowChange(operation, "public.accounts", key, before, after, LSN, NOON_US);
    }

    private static MapRow accountRow(String account) {
        return new MapRow(values(
                "account_id", new ColumnValue.Text(account), "credit_limit", new ColumnValue.Decimal("1000.00")));
    }

    private static RowChange label(Operation operation, ColumnValue value) {
        MapRow row = new MapRow(
                        values("transaction_id", new ColumnValue.Whole(42), "account_id", new ColumnValue.Text("a1")))
                .with("is_fraud", value)
                .with("labelled_at", new ColumnValue.Time(NOON_US));
        MapRow key = MapRow.of("label_id", new ColumnValue.Whole(9));
        return new RowChange(operation, "public.labels", key, null, row, LSN, NOON_US);
    }

    private static List<EventEnvelope> published(MappedRow mapped) {
        assertThat(mapped).isInstanceOf(MappedRow.Published.class);
        return ((MappedRow.Published) mapped).events();
    }

    private static EventEnvelope event(MappedRow mapped) {
        assertThat(published(mapped)).hasSize(1);
        return published(mapped).get(0);
    }

    private static MappedRow.Refused refused(MappedRow mapped) {
        return assertThat(mapped).asInstanceOf(type(MappedRow.Refused.class)).actual();
    }

    private static String text(EventEnvelope event) {
        return new String(event.data(), UTF_8);
    }

    private static Map<String, ColumnValue> values(String k1, ColumnValue v1, String k2, ColumnValue v2) {
        Map<String, ColumnValue> values = new LinkedHashMap<>();
        values.put(k1, v1);
        values.put(k2, v2);
        return values;
    }

    private static Map<String, String> fields(String f1, String c1, String f2, String c2) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(f1, c1);
        fields.put(f2, c2);
        return fields;
    }
}
