package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.vigil.demo.bank.BankShape;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The schema, the table mapping and the policy of the demo are three files that must agree. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TableMappingIT {
    private final YAMLMapper yaml = new YAMLMapper();

    @TempDir
    static Path directory;

    private PostgreSqlForTests postgres;
    private JsonNode tables;
    private JsonNode policy;

    @BeforeAll
    void openBank() throws IOException, SQLException {
        postgres = new PostgreSqlForTests(directory);
        try (BankDatabase database = postgres.connect()) {
            database.openBank(new BankShape(5, 100), Instant.parse("2026-11-30T09:17:00Z"));
        }
        tables = yaml.readTree(Resources.text("tables.yaml"));
        policy = yaml.readTree(Path.of(System.getProperty("vigil.repository"), "policies/card-fraud.yaml")
                .toFile());
    }

    @AfterAll
    void stopServer() {
        postgres.close();
    }

    @Test
    void shouldNameTablesAndColumnsThatTheSchemaHas() throws SQLException {
        for (String table : names(tables)) {
            JsonNode mapping = tables.get(table);
            List<String> columns = new ArrayList<>();
            List.of("id", "event-id", "account", "time", "value").forEach(key -> {
                if (mapping.has(key)) {
                    columns.add(mapping.get(key).asText());
                }
            });
            mapping.path("fields").forEach(column -> columns.add(column.asText()));
            for (String column : columns) {
                assertThat(postgres.queryText("SELECT count(*) FROM information_schema.columns WHERE "
                                + "table_schema || '.' || table_name = '" + table + "' AND column_name = '" + column
                                + "'"))
                        .as("column %s of %s", column, table)
                        .isEqualTo("1");
            }
        }
    }

    @Test
    void shouldFillEveryFieldThatThePolicyDeclaresAndNoOther() {
        assertThat(names(tables.get("public.transactions").get("fields")))
                .containsExactlyElementsOf(
                        names(policy.get("events").get("transaction").get("fields")));
        assertThat(names(tables.get("public.accounts").get("fields")))
                .containsExactlyElementsOf(
                        names(policy.get("reference").get("account").get("fields")));
        assertThat(policy.get("events").has(LoginEvents.TYPE)).isTrue();
        assertThat(names(policy.get("events").get("login").get("fields"))).containsExactly("device", "ip", "success");
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
