package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.RuleHit;
import dev.vigil.event.SourcePosition;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AlertLineTest {
    private static final long INGESTED_MS =
            Instant.parse("2026-11-30T08:56:19.512Z").toEpochMilli();
    private static final String HIGH = "far more than this account usually pays";
    private static final String RESALE = "unusually high payment for goods that are easily resold, from another device";

    @Test
    void shouldStandOnOneLineAsItIsWhereItFits() {
        assertThat(line("A01021", new BigDecimal("1569.02"), false, HIGH))
                .isEqualTo(
                        "  08:56:19.804  decline  145  A01021  17526     1569.02 EUR  far more than this account usually pays"
                                + "  (292 ms)");
        assertThat(line("A01021", null, true, "many"))
                .endsWith("A01021  17526                  many  (292 ms) repeated");
    }

    @Test
    void shouldCutReasonsAtAWord() {
        assertThat(line("A01021", new BigDecimal("1569.02"), false, HIGH, RESALE))
                .isEqualTo(
                        "  08:56:19.804  decline  145  A01021  17526     1569.02 EUR  far more than this account usually pays;"
                                + " …  (292 ms)")
                .hasSizeLessThanOrEqualTo(AlertLine.COLUMNS);
    }

    @Test
    void shouldNotLetANameOrAReasonColourTheTerminal() {
        assertThat(line("A\u001b[31m", BigDecimal.ONE, false, "red\u001b[0m\nline"))
                .contains("A\\u001b[31m")
                .contains("red\\u001b[0m\\nline")
                .doesNotContain("\u001b", "\n");
    }

    @Test
    void shouldFitWhateverTheAlertHolds() {
        for (String account : List.of("A1", "an-account-with-a-name-that-is-longer-than-the-whole-line-has-room-for")) {
            for (int words = 0; words < 60; words++) {
                String line = line(
                        account,
                        new BigDecimal("123456789012.00"),
                        true,
                        "word ".repeat(words).strip());
                assertThat(line).hasSizeLessThanOrEqualTo(AlertLine.COLUMNS);
                assertThat(line).doesNotContainPattern("\\bw(o|or)?…");
            }
            assertThat(line(account, BigDecimal.ONE, true, "x".repeat(300))).hasSize(AlertLine.COLUMNS);
        }
    }

    private static String line(String account, BigDecimal amount, boolean repeated, String... reasons) {
        Alert alert = new Alert(
                "alert",
                "17526",
                "/cdc/bank/public.transactions",
                "transaction",
                account,
                INGESTED_MS * 1_000,
                INGESTED_MS,
                new SourcePosition("log", 0, 1),
                "card-fraud",
                1,
                "EUR",
                145,
                Decision.DECLINE,
                account,
                0,
                amount == null ? Map.of() : Map.of("amount", amount),
                Arrays.stream(reasons)
                        .map(reason -> new RuleHit("rule", 50, reason, Map.of()))
                        .toList());
        return AlertLine.of(new ReceivedAlert(alert, null, 1, repeated, INGESTED_MS + 292), ZoneOffset.UTC);
    }
}
