package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values of every type of MySQL: each stands in a row of its own, once before capture begins and once after, and becomes the
 * same both times and when it is read again on demand, whatever the zones of JVM and server (+05:30).
 */
final class MySqlColumnTypesIT {

    private static final int STREAMED_FROM = 10_000;

    /** @param expected the field in the log; with a leading {@code !} the reason code of a dead letter; null if absent */
    private record Case(int id, String type, String literal, String expected) {

        String table() {
            return "v_" + type.replaceAll("[^a-z0-9]+", "_");
        }

        @Override
        public String toString() {
            return literal + " in " + type;
        }
    }

    private static final List<Case> CASES = new ArrayList<>();

    @TempDir
    static Path directory;

    private static TimeZone zoneBefore = TimeZone.getDefault();
    private static MySqlBank bank;
    private static CdcIngest ingest;
    private static Map<Integer, List<String>> outcomes;

    private static void given(String type, String... literalsAndExpected) {
        for (int i = 0; i < literalsAndExpected.length; i += 2) {
            CASES.add(new Case(CASES.size() + 1, type, literalsAndExpected[i], literalsAndExpected[i + 1]));
        }
    }

    static {
        numbers();
        texts();
        times();
    }

    private static void numbers() {
        given("tinyint", "-128", "-128", "127", "127");
        given("tinyint unsigned", "255", "255");
        given("tinyint(1)", "0", "false", "1", "true", "2", "!bad_field", "-1", "!bad_field");
        given("boolean", "true", "true", "false", "false");
        given("smallint unsigned", "65535", "65535");
        given("mediumint unsigned", "16777215", "16777215");
        given("int", "-2147483648", "-2147483648");
        given("int unsigned", "4294967295", "4294967295");
        given("bigint", "-9223372036854775808", "-9223372036854775808", "9223372036854775807", "9223372036854775807");
        given("bigint unsigned", "18446744073709551615", "18446744073709551615", "0", "0");
        given("decimal(12,2)", "1234.5", "1234.50", "-0.01", "-0.01", "9999999999.99", "9999999999.99");
        given("decimal(12,2) unsigned", "57.1", "57.10");
        given("decimal(65,30)", "-0.000000000000000000000000000001", "-0.000000000000000000000000000001");
        given("decimal(5,0)", "12345", "12345");
        given("float", "0.1", "0.1", "-3.4e38", "-3.4E+38");
        given("double", "0.1", "0.1", "1e300", "1.0E+300");
        given("year", "2024", "2024", "1901", "1901", "70", "1970", "2155", "2155");
        given("bit(1)", "b'1'", "true", "b'0'", "false");
    }

    private static void texts() {
        given("varchar(40)", "'Ünïcödé € 😀'", "Ünïcödé € 😀", "''", "", "'a\\tb\\nc\"d\\\\e'", "a\tb\nc\"d\\e");
        given("varchar(20) character set latin1", "'Zoë'", "Zoë");
        given("char(5)", "'ab'", "ab");
        given("longtext", "repeat('ä', 70000)", "ä".repeat(70_000));
        given("enum('small','so so','Ü')", "'so so'", "so so", "'Ü'", "Ü", "3", "Ü", "'no such'", "");
        given("set('a','b','c')", "'a,c'", "a,c", "''", "");
        given("json", "'{\"b\": 1, \"aa\": [\"é\", null, 1.50, true]}'", "{\"b\":1,\"aa\":[\"é\",null,1.5,true]}");
        given("json", "'[]'", "[]", "'\"x\"'", "\"x\"", "'1.5e10'", "15000000000");
        given("varbinary(10)", "x'00ff0010'", "AP8AEA==", "''", "");
        given("binary(4)", "x'ab00'", "qwAAAA==");
        given("blob", "x'00ff'", "AP8=");
    }

    private static void times() {
        given("date", "'2024-02-29'", "2024-02-29T00:00:00Z", "'1000-01-01'", "1000-01-01T00:00:00Z");
        given("date", "'9999-12-31'", "9999-12-31T00:00:00Z", "'0000-00-00'", "null", "NULL", "null");
        given("date not null", "'0000-00-00'", "!time_out_of_range", "'2024-02-00'", "!time_out_of_range");
        for (int digits = 0; digits <= 6; digits++) {
            String precision = digits == 0 ? "" : "(" + digits + ")";
            String fraction = digits == 0 ? "" : "." + "123456".substring(0, digits);
            String shown = digits == 0
                    ? ""
                    : digits <= 3
                            ? "." + ("123".substring(0, digits) + "000").substring(0, 3)
                            : "." + ("123456".substring(0, digits) + "000").substring(0, 6);
            given("datetime" + precision, "'2024-04-01 02:30:00" + fraction + "'", "2024-04-01T02:30:00" + shown + "Z");
            given(
                    "timestamp" + precision,
                    "'2024-10-27 02:30:00" + fraction + "'",
                    "2024-10-26T21:00:00" + shown + "Z");
        }
        given("datetime(6)", "'1893-03-31 23:59:59.000001'", "1893-03-31T23:59:59.000001Z");
        given("datetime(6)", "'9999-12-31 23:59:59.999999'", "9999-12-31T23:59:59.999999Z");
        given("datetime", "'1582-10-25 12:00:00'", "1582-10-25T12:00:00Z", "'0000-00-00 00:00:00'", "null");
        given("datetime not null", "'0000-00-00 00:00:00'", "!time_out_of_range");
        given("timestamp(6)", "'2038-01-19 03:14:07.999999'", "2038-01-18T21:44:07.999999Z");
        // Hours that a zone has twice, or leaves out: Berlin's, in which the snapshot is read.
        given(
                "timestamp",
                "'2024-10-27 06:00:00'",
                "2024-10-27T00:30:00Z",
                "'2024-10-27 07:00:00'",
                "2024-10-27T01:30:00Z");
        given(
                "timestamp",
                "'2024-03-31 06:45:00'",
                "2024-03-31T01:15:00Z",
                "'2024-03-31 08:00:00'",
                "2024-03-31T02:30:00Z");
        given("timestamp(6)", "'2024-10-27 07:00:00.000001'", "2024-10-27T01:30:00.000001Z");
        given("timestamp not null", "'0000-00-00 00:00:00'", "!time_out_of_range");
        given("time", "'23:59:59'", "23:59:59", "'838:59:59'", "838:59:59", "'-01:30:00'", "-01:30:00");
        given("time(6)", "'12:00:00.123456'", "12:00:00.123456", "'00:00:00'", "00:00:00");
    }

    static Stream<Case> cases() {
        return CASES.stream();
    }

    @BeforeAll
    static void captureAll() throws Exception {
        bank = MySqlBank.create(directory, MySqlServer.shared());
        for (Map.Entry<String, String> table : typeByTable().entrySet()) {
            String type = table.getValue().startsWith("timestamp")
                            && !table.getValue().contains("not null")
                    ? table.getValue() + " null"
                    : table.getValue();
            bank.execute("CREATE TABLE " + bank.table(table.getKey()) + " (id int PRIMARY KEY, account_id varchar(9),"
                    + " at datetime DEFAULT '2026-01-01 00:00:00', v " + type + ")");
            bank.map(table.getKey(), "{event: " + table.getKey() + ", account: account_id, time: at, fields: {v: v}}");
        }
        insertAll(0);
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
        ingest = bank.ingest();
        ingest.start();
        await(CASES.size());
        TimeZone.setDefault(TimeZone.getTimeZone("America/Caracas"));
        insertAll(STREAMED_FROM);
        await(2 * CASES.size());
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
        for (String table : typeByTable().keySet()) {
            SnapshotRequests.add(directory, bank.table(table), null);
        }
        await(4 * CASES.size());
    }

    private static Map<String, String> typeByTable() {
        Map<String, String> types = new LinkedHashMap<>();
        CASES.forEach(one -> types.put(one.table(), one.type()));
        return types;
    }

    private static void insertAll(int firstId) throws SQLException {
        try (Connection connection = bank.connect();
                Statement statement = connection.createStatement()) {
            for (Case one : CASES) {
                statement.execute("INSERT INTO " + bank.table(one.table()) + " (id, account_id, v) VALUES ("
                        + (firstId + one.id()) + ", 'a1', " + one.literal() + ")");
            }
        }
    }

    private static void await(int rowCount) {
        Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> {
            assertThat(ingest.status().problem()).isNull();
            Map<Integer, List<String>> found = new HashMap<>();
            for (Entry event : bank.log.events()) {
                outcomes(found, event.id()).add(String.valueOf(event.field("v")));
            }
            for (Entry letter : bank.log.deadLetters()) {
                outcomes(found, String.valueOf(letter.key()))
                        .add("!" + letter.headers().get("vigil-reason"));
            }
            outcomes = found;
            return found.values().stream().mapToInt(List::size).sum() >= rowCount;
        });
    }

    private static List<String> outcomes(Map<Integer, List<String>> found, String id) {
        return found.computeIfAbsent(Integer.parseInt(id), one -> new ArrayList<>());
    }

    @AfterAll
    static void stop() throws Exception {
        TimeZone.setDefault(zoneBefore);
        if (ingest != null) {
            ingest.close();
        }
        if (bank != null) {
            bank.close();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldBecomeTheSameFromSnapshotAndStreamAndWhenReadAgain(Case one) {
        List<String> all = new ArrayList<>(outcomes.get(one.id()));
        all.addAll(outcomes.get(STREAMED_FROM + one.id()));

        assertThat(all).hasSize(4).containsOnly(one.expected());
    }

    @Test
    void shouldGoOnWhateverTheValues() {
        assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
        assertThat(ingest.status().rowsRead()).isEqualTo(4L * CASES.size());
    }
}
