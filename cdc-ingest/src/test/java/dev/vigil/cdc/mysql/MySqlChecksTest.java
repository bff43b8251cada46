package dev.vigil.cdc.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against what servers say of themselves. */
final class MySqlChecksTest {

    @ParameterizedTest
    @ValueSource(strings = {"8.0.33", "8.0.36-28", "8.4.3-log", "9.1.0", "10.0.1"})
    void shouldTakeMySqlFromVersion8On(String version) {
        assertThat(MySqlChecks.unsupported(version)).isEmpty();
    }

    @Test
    void shouldRefuseOlderServersAndMariaDb() {
        assertThat(MySqlChecks.unsupported("5.7.44-log")).hasValue("expected MySQL 8.0 or newer, found 5.7.44-log");
        assertThat(MySqlChecks.unsupported("10.11.6-MariaDB-0+deb12u1"))
                .hasValue(
                        "expected MySQL 8.0 or newer, found 10.11.6-MariaDB-0+deb12u1: MariaDB has a binary log of its"
                                + " own kind");
    }
}
