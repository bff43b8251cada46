package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.vigil.config.ConfigException;
import dev.vigil.event.DeadLetter.Reason;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** Amounts to the last minor unit, and places; ids are those of the field cases. */
class MoneyAndPlacesTest {
    private static final String SUMS = """
            features:
              sum: {sum: tx.amount, over: 1h}
              avg: {avg: tx.amount, over: 1h}
              n: {count: tx, over: 1h}
            """;

    private static Outputs amounts(String currency, String... amounts) {
        PartitionScorerTester tester =
                PartitionScorerTester.withPolicy(policy(SUMS).replace("EUR", currency));
        for (int i = 0; i < amounts.length; i++) {
            tester.add(tx("e" + i, i * SECOND, "{\"amount\": " + amounts[i] + "}"));
        }
        return tester.run();
    }

    private static Object sum(Outputs outputs, int event) {
        return outputs.feature("e" + event, "sum");
    }

    /** H01 */
    @Test
    void shouldTakeTheCurrencysOwnDigits() {
        assertThat(sum(amounts("JPY", "5000", "\"5000\""), 1)).isEqualTo(10_000);
        assertThat(sum(amounts("KWD", "1.234", "0.001"), 1)).isEqualTo(new BigDecimal("1.235"));
        assertThat(sum(amounts("EUR", "1.5"), 0)).isEqualTo(new BigDecimal("1.50"));
        assertThat(amounts("JPY", "50.5").deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsExactly(Reason.BAD_AMOUNT);
    }

    /** H01 */
    @Test
    void shouldRefuseCurrenciesWithoutMinorUnitsUnknownOrMisspelt() {
        for (String code : new String[] {"XXX", "ZZZ", "jpy", "XAU"}) {
            String yaml = policy(SUMS).replace("EUR", code);
            assertThatThrownBy(() -> Policies.check("p.yaml", yaml))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("p.yaml:3:11: currency: ")
                    .hasMessageContaining(code);
        }
    }

    @Test
    void shouldRefuseAnEventInAnotherCurrency() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy(SUMS))
                .add(tx("a", 0, "{\"amount\": 1, \"currency\": \"EUR\"}"))
                .add(tx("b", 0, "{\"amount\": 1, \"currency\": \"USD\"}"))
                .add(tx("c", 0, "{\"currency\": \"eur\", \"amount\": 1}"))
                .run();
        assertThat(outputs.deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsExactly(Reason.CURRENCY_MISMATCH, Reason.CURRENCY_MISMATCH);
        assertThat(outputs.features("n")).containsExactly(1);
    }

    /** H02 */
    @Test
    void shouldNotOverflow() {
        assertThat(sum(amounts("EUR", "21474836.48"), 0)).isEqualTo(new BigDecimal("21474836.48"));
        String large = "92233720368547758.07";
        Outputs outputs = amounts("EUR", large, large, "-" + large);
        assertThat(sum(outputs, 0)).isEqualTo(new BigDecimal(large));
        assertThat(sum(outputs, 1)).as("beyond 64 bits: absent, not wrapped").isNull();
        assertThat(outputs.feature("e1", "avg")).isEqualTo(new BigDecimal("9.223372036854776E+16"));
        assertThat(sum(outputs, 2)).isEqualTo(new BigDecimal(large));
        assertThat(amounts("EUR", "92233720368547758.08", "99999999999999999", "1e17", "1e400")
                        .deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsExactly(Reason.BAD_AMOUNT, Reason.BAD_AMOUNT, Reason.BAD_AMOUNT, Reason.BAD_AMOUNT);
    }

    /** H02: IDR 50,000,000,000, and many of them. */
    @Test
    void shouldSumManyLargeAmountsExactly() {
        String[] amounts = new String[300];
        java.util.Arrays.fill(amounts, "50000000000");
        assertThat(sum(amounts("IDR", amounts), 299)).isEqualTo(new BigDecimal("15000000000000.00"));
    }

    /** H13 */
    @Test
    void shouldCountZeroAndNegativeAmountsAsTheyAre() {
        Outputs outputs = amounts("EUR", "-12.50", "0", "-0", "\"-0.00\"", "50", "-50");
        assertThat(outputs.features("n")).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(outputs.features("sum").toString()).isEqualTo("[-12.50, -12.50, -12.50, -12.50, 37.50, -12.50]");
        assertThat(outputs.scored("e3").fields()).containsEntry("amount", new BigDecimal("0.00"));
    }

    /** C15: what left a window leaves nothing behind in its sums. */
    @Test
    void shouldNotDrift() {
        Outputs tenths = amounts("EUR", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1");
        assertThat(sum(tenths, 9)).isEqualTo(new BigDecimal("1.00"));
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(
                policy(
                        "features: {sum: {sum: tx.amount, over: 10s}, avg: {avg: tx.amount, over: 10s}, dev: {stddev: tx.amount, over: 10s}}"));
        tester.add(tx("huge", 0, "{\"amount\": 180143985094819.84}"));
        for (int i = 1; i <= 200; i++) {
            tester.add(tx("e" + i, i * SECOND, "{\"amount\": 1}"));
        }
        Outputs outputs = tester.restoreEvery(50).run();
        assertThat(outputs.scored("e10").features().toString()).isEqualTo("{sum=10.00, avg=1.0, dev=0.0}");
        assertThat(outputs.scored("e200").features().toString()).isEqualTo("{sum=10.00, avg=1.0, dev=0.0}");
    }

    private static Outputs places(String... places) {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy("features: {speed: {geo_speed: tx}}"));
        for (int i = 0; i < places.length; i++) {
            tester.add(tx("e" + i, i * HOUR, "{" + places[i] + "}"));
        }
        return tester.run();
    }

    private static double speed(Outputs outputs, int event) {
        return ((BigDecimal) outputs.feature("e" + event, "speed")).doubleValue();
    }

    /** H09 */
    @Test
    void shouldTakeNullIslandAndNullForNoPlace() {
        Outputs outputs = places(
                "\"lat\": 48.1, \"lon\": 11.5",
                "\"lat\": 0, \"lon\": 0",
                "\"lat\": 0.0, \"lon\": -0.0",
                "\"lat\": null, \"lon\": 11.5",
                "\"lat\": 48.1, \"lon\": 11.5",
                "\"lat\": 0, \"lon\": 30");
        assertThat(outputs.features("speed").subList(0, 4)).containsOnly("absent");
        assertThat(speed(outputs, 4)).isZero();
        assertThat(speed(outputs, 5)).isGreaterThan(5_000);
    }

    /** H09 */
    @Test
    void shouldRefusePlacesOutOfRange() {
        Outputs outputs = places("\"lat\": 91, \"lon\": 0", "\"lat\": 0, \"lon\": -180.5", "\"lat\": 90, \"lon\": 180");
        assertThat(outputs.deadLetters())
                .extracting(Outputs.Refusal::detail)
                .containsExactly(
                        "lat: expected double, found degrees out of range",
                        "lon: expected double, found degrees out of range");
        assertThat(outputs.scored()).hasSize(1);
    }

    /** H11 */
    @Test
    void shouldGoTheShortWayOverTheAntimeridian() {
        Outputs outputs = places("\"lat\": 0, \"lon\": 179", "\"lat\": 0, \"lon\": -179");
        assertThat(speed(outputs, 1)).isCloseTo(222.39, within(0.01));
    }

    /** H11: 10,059.214 km on the ellipsoid; a sphere is within 0.56 %. */
    @Test
    void shouldGiveADistanceForFarPlaces() {
        Outputs outputs = places("\"lat\": 40.08, \"lon\": 116.585", "\"lat\": 33.943, \"lon\": -118.408");
        assertThat(speed(outputs, 1)).isCloseTo(10_059.214, within(10_059.214 * 0.0056));
        Outputs antipodes = places("\"lat\": 45.3, \"lon\": 20.7", "\"lat\": -45.3, \"lon\": -159.3");
        assertThat(speed(antipodes, 1)).isCloseTo(20_015.1, within(0.1));
    }

    @Test
    void shouldCountLessThanASecondAsASecond() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("features: {speed: {geo_speed: tx}}"))
                .add(tx("a", 0, "{\"lat\": 10, \"lon\": 10}"))
                .add(tx("b", 0, "{\"lat\": 10.01, \"lon\": 10}"))
                .add(tx("c", MINUTE, "{\"lat\": 10.01, \"lon\": 10}"))
                .run();
        assertThat(((BigDecimal) outputs.feature("b", "speed")).doubleValue()).isCloseTo(4_003, within(1.0));
        assertThat(((BigDecimal) outputs.feature("c", "speed")).doubleValue()).isZero();
    }
}
