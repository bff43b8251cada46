package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.config.ConfigDocument;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.event.TopicNames;
import dev.vigil.event.card.CardNumberConfig;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values of every type: each stands in a row of its own, once before capture begins and once after, and becomes the same
 * both times and when it is read again on demand, whatever the JVM's time zone. Snapshot, stream and snapshot on demand take
 * different ways through driver and engine.
 */
final class ColumnTypesIT {

    private static final int STREAMED_FROM = 10_000;

    /** @param expected the field in the log; with a leading {@code !} the reason code of a dead letter */
    private record Case(int id, String type, String literal, String expected) {

        String table() {
            return "v_" + type.replaceAll("[^a-z0-9]+", "_");
        }

        @Override
        public String toString() {
            return literal + "::" + type;
        }
    }

    private static final List<Case> CASES = new ArrayList<>();

    @TempDir
    static Path directory;

    private static String schema = "types_" + Long.toHexString(System.nanoTime());
    private static TimeZone zoneBefore = TimeZone.getDefault();
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
        datesAndTimestamps();
        timesOfDay();
    }

    private static void numbers() {
        given("numeric", "12345678901234567890.123456789", "12345678901234567890.123456789");
        given("numeric", "-0.01", "-0.01", "0.00", "0.00", "57.10", "57.10", "0.0000001", "0.0000001");
        given("numeric", "1e30", "1" + "0".repeat(30), "-1e20", "-1" + "0".repeat(20), "NaN", "!bad_amount");
        given("numeric", "Infinity", "!bad_amount", "-Infinity", "!bad_amount");
        given("numeric(10,2)", "1234.5", "1234.50", "-99999999.99", "-99999999.99", "NaN", "!bad_amount");
        given("numeric(5,0)", "12345", "12345", "-0", "0");
        given("amount", "57.10", "57.10", "-0.01", "-0.01", "NaN", "!bad_amount");
        given("money", "-1234.56", "-1234.56", "0.01", "0.01", "1000000", "1000000.00");
        given("int2", "-32768", "-32768", "32767", "32767");
        given("int4", "-2147483648", "-2147483648", "2147483647", "2147483647");
        given("int8", "-9223372036854775808", "-9223372036854775808", "9223372036854775807", "9223372036854775807");
        given("float4", "0.1", "0.1", "-3.4e38", "-3.4E+38", "NaN", "!bad_field", "Infinity", "!bad_field");
        given("float8", "0.1", "0.1", "1e300", "1.0E+300", "NaN", "!bad_field", "-Infinity", "!bad_field");
        given("bool", "true", "true", "false", "false");
    }

    private static void texts() {
        given("text", "Ünïcödé € 😀", "Ünïcödé € 😀", "", "", "NaN", "NaN", "infinity", "infinity");
        given("text", "__debezium_unavailable_value", "__debezium_unavailable_value", "a\tb\nc\"d\\e", "a\tb\nc\"d\\e");
        given("varchar(20)", "Kraków", "Kraków");
        given("char(5)", "ab", "ab   ");
        given("bytea", "\\x00ff0010", "AP8AEA==", "\\x", "");
        given("uuid", "5F0C6F0E-7A6D-4A5C-9B6E-4D1B6F2C8A11", "5f0c6f0e-7a6d-4a5c-9b6e-4d1b6f2c8a11");
        given("inet", "192.168.0.1/24", "192.168.0.1/24", "::1", "::1");
        given("macaddr", "08:00:2b:01:02:03", "08:00:2b:01:02:03");
        given("jsonb", "{\"b\": 1, \"a\": [\"é\", null]}", "{\"a\": [\"é\", null], \"b\": 1}");
        given("json", "{\"b\":1}", "{\"b\":1}");
        given("mood", "happy", "happy", "so so", "so so");
        given("name_d", "Zoë", "Zoë");
    }

    private static void datesAndTimestamps() {
        given("date", "2024-02-29", "2024-02-29T00:00:00Z", "1893-04-01", "1893-04-01T00:00:00Z");
        given("date", "1500-03-01", "1500-03-01T00:00:00Z", "0001-01-01", "0001-01-01T00:00:00Z");
        given("date", "9999-12-31", "9999-12-31T00:00:00Z", "10000-01-01", "!time_out_of_range");
        given("date", "infinity", "!time_out_of_range", "-infinity", "!time_out_of_range");
        given("date", "0044-03-15 BC", "!time_out_of_range", "0001-12-31 BC", "!time_out_of_range");
        for (String precision : List.of("", "(6)", "(5)", "(4)", "(3)", "(2)", "(1)", "(0)")) {
            int digits = precision.isEmpty() ? 6 : precision.charAt(1) - '0';
            String fraction = digits == 0 ? "" : "." + "123456".substring(0, digits);
            String shown = digits == 0
                    ? ""
                    : digits <= 3
                            ? "." + ("123".substring(0, digits) + "000").substring(0, 3)
                            : "." + ("123456".substring(0, digits) + "000").substring(0, 6);
            given("timestamp" + precision, "2024-03-31 02:30:00" + fraction, "2024-03-31T02:30:00" + shown + "Z");
            given(
                    "timestamptz" + precision,
                    "2024-10-27 02:30:00" + fraction + "+02",
                    "2024-10-27T00:30:00" + shown + "Z");
        }
        for (String type : List.of("timestamp", "timestamp(3)", "timestamp(0)")) {
            given(type, "1969-12-31 23:59:59", "1969-12-31T23:59:59Z", "1893-03-31 23:59:59", "1893-03-31T23:59:59Z");
            given(type, "1582-10-10 12:00:00", "1582-10-10T12:00:00Z", "0001-01-01 00:00:00", "0001-01-01T00:00:00Z");
            given(type, "9999-12-31 23:59:59", "9999-12-31T23:59:59Z", "10000-01-01 00:00:00", "!time_out_of_range");
            given(type, "infinity", "!time_out_of_range", "-infinity", "!time_out_of_range");
            given(type, "0044-03-15 00:00:00 BC", "!time_out_of_range", "294276-12-31 23:59:59", "!time_out_of_range");
        }
        given("timestamp", "9999-12-31 23:59:59.999999", "9999-12-31T23:59:59.999999Z");
        given("timestamptz", "1969-12-31 23:59:59.000001+00", "1969-12-31T23:59:59.000001Z");
        given("timestamptz", "2024-03-31 02:30:00 Asia/Kathmandu", "2024-03-30T20:45:00Z");
        given("timestamptz", "1582-10-10 12:00:00+00", "1582-10-10T12:00:00Z");
        given("timestamptz", "0001-01-01 00:00:00+00", "0001-01-01T00:00:00Z");
        given("timestamptz", "9999-12-31 23:59:59.999999+00", "9999-12-31T23:59:59.999999Z");
        given("timestamptz", "10000-01-01 00:00:00+00", "!time_out_of_range", "infinity", "!time_out_of_range");
        given("timestamptz", "-infinity", "!time_out_of_range", "0044-03-15 00:00:00+00 BC", "!time_out_of_range");
    }

    private static void timesOfDay() {
        for (String type : List.of("time", "time(3)", "time(0)")) {
            given(type, "24:00:00", "24:00:00", "00:00:00", "00:00:00", "02:30:00", "02:30:00");
        }
        given("time", "23:59:59.999999", "23:59:59.999999");
        given("time(3)", "12:00:00.123", "12:00:00.123000");
    }

    static Stream<Case> cases() {
        return CASES.stream();
    }

    @BeforeAll
    static void captureAll() throws Exception {
        EmbeddedDatabase database = Servers.database();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + schema);
            statement.execute("SET search_path = " + schema + ", public");
            statement.execute("CREATE DOMAIN amount AS numeric(12,2)");
            statement.execute("CREATE DOMAIN name_d AS text");
            statement.execute("CREATE TYPE mood AS ENUM ('happy', 'so so')");
            if (hasHstore(statement)) {
                statement.execute("CREATE EXTENSION IF NOT EXISTS hstore SCHEMA public");
                given("hstore", "a=>1, b=>NULL", "{\"a\":\"1\",\"b\":null}");
            }
            for (Map.Entry<String, String> table : typeByTable().entrySet()) {
                statement.execute(
                        "CREATE TABLE " + table.getKey() + " (id int PRIMARY KEY, account_id text, at timestamptz"
                                + " DEFAULT '2026-01-01 00:00:00Z', v " + table.getValue() + ")");
            }
            insertAll(connection, 0);
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            KafkaConfig kafka = new KafkaConfig(
                    Servers.kafka().bootstrapServers(),
                    new TopicNames(schema),
                    2,
                    (short) 1,
                    (short) 1,
                    Duration.ofDays(1),
                    Map.of());
            ingest = new CdcIngest(
                    CdcConfig.from(ConfigDocument.parse("vigil.yaml", yaml(database)), CardNumberConfig.defaults()),
                    kafka,
                    directory,
                    null);
            ingest.start();
            await(CASES.size());
            TimeZone.setDefault(TimeZone.getTimeZone("America/Caracas"));
            insertAll(connection, STREAMED_FROM);
            await(2 * CASES.size());
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
            for (String table : typeByTable().keySet()) {
                SnapshotRequests.add(directory, schema + "." + table, null);
            }
            await(4 * CASES.size());
        }
    }

    private static boolean hasHstore(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery("SELECT 1 FROM pg_available_extensions WHERE name = 'hstore'")) {
            return found.next();
        }
    }

    private static Map<String, String> typeByTable() {
        Map<String, String> types = new LinkedHashMap<>();
        CASES.forEach(one -> types.put(one.table(), one.type()));
        return types;
    }

    private static void insertAll(Connection connection, int firstId) throws SQLException {
        for (Case one : CASES) {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO " + one.table() + " (id, account_id, v) VALUES ("
                            + (firstId + one.id()) + ", 'a1', ?::text::" + one.type() + ")")) {
                insert.setString(1, one.literal());
                insert.execute();
            }
        }
    }

    private static String yaml(EmbeddedDatabase server) {
        String tables = typeByTable().keySet().stream()
                .map(table -> "  " + schema + "." + table + ": {event: " + table
                        + ", account: account_id, time: at, fields: {v: v}}\n")
                .collect(Collectors.joining());
        return "database: {host: " + server.host() + ", port: " + server.port()
                + ", user: postgres, password: postgres,"
                + " name: " + server.database() + "}\nslot: " + schema + "\npublication: " + schema
                + "\nheartbeat: 300ms\ntables:\n" + tables;
    }

    private static void await(int rowCount) {
        LogReader log = new LogReader(Servers.kafka().bootstrapServers(), new TopicNames(schema));
        Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> {
            assertThat(ingest.status().problem()).isNull();
            Map<Integer, List<String>> found = new HashMap<>();
            for (Entry event : log.events()) {
                outcomes(found, event.id()).add(String.valueOf(event.field("v")));
            }
            for (Entry letter : log.deadLetters()) {
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
        ingest.close();
        try (Connection connection = Servers.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_drop_replication_slot('" + schema + "')");
            statement.execute("DROP PUBLICATION " + schema);
            statement.execute("DROP SCHEMA " + schema + " CASCADE");
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldBecomeTheSameFromSnapshotAndStreamAndWhenReadAgain(Case one) {
        List<String> snapshotAndAgain = outcomes.get(one.id());
        List<String> streamAndAgain = outcomes.get(STREAMED_FROM + one.id());

        assertThat(snapshotAndAgain).containsExactly(one.expected(), one.expected());
        assertThat(streamAndAgain).containsExactly(one.expected(), one.expected());
    }

    @Test
    void shouldGoOnWhateverTheValues() {
        assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
        assertThat(ingest.status().rowsRead()).isEqualTo(4L * CASES.size());
    }
}
