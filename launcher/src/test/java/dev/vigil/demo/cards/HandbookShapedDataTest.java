package dev.vigil.demo.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandbookShapedDataTest {
    private static final HandbookShape SHAPE = HandbookShape.small(11);

    @TempDir
    Path directory;

    @Test
    void shouldWriteTheSameRowsForTheSameSeedPlainAndCompressed() throws IOException {
        Path plain = directory.resolve("cards.csv");
        Path compressed = directory.resolve("cards.csv.gz");
        long rows = HandbookShapedData.of(SHAPE).writeCsv(plain);
        assertThat(HandbookShapedData.of(SHAPE).writeCsv(compressed)).isEqualTo(rows);

        List<String> lines = Files.readAllLines(plain);
        assertThat(lines).hasSize((int) rows + 1).startsWith(HandbookShapedData.HEADER);
        assertThat(lines.subList(1, lines.size()))
                .allMatch(line -> line.matches(
                        "\\d+,\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d+,\\d+,\\d+\\.\\d\\d,[01],[0-3]"));
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(compressed)), StandardCharsets.UTF_8))) {
            assertThat(reader.lines().toList()).isEqualTo(lines);
        }
    }

    @Test
    void shouldMakeUpOtherRowsForAnotherSeed() {
        assertThat(rows(HandbookShape.small(12))).isNotEqualTo(rows(SHAPE));
    }

    @Test
    void shouldNumberRowsInOrderOfTime() {
        LocalDateTime time = SHAPE.firstDay().atStartOfDay();
        long id = 0;
        for (CardPayment row : rows(SHAPE)) {
            assertThat(row.id()).isEqualTo(id++);
            assertThat(row.time()).isAfterOrEqualTo(time);
            time = row.time();
        }
        assertThat(id).isBetween(65_000L, 80_000L);
        assertThat(time.toLocalDate()).isEqualTo(SHAPE.firstDay().plusDays(SHAPE.days() - 1L));
    }

    @Test
    void shouldHoldTiesAndPaymentsExactlyOneSevenAndThirtyDaysApart() {
        Map<Integer, Set<LocalDateTime>> byCustomer = new HashMap<>();
        Map<Integer, Integer> apart = new HashMap<>();
        int ties = 0;
        for (CardPayment row : rows(SHAPE)) {
            Set<LocalDateTime> times = byCustomer.computeIfAbsent(row.customer(), c -> new HashSet<>());
            for (int days : List.of(1, 7, 30)) {
                if (times.contains(row.time().minusDays(days))) {
                    apart.merge(days, 1, Integer::sum);
                }
            }
            ties += times.add(row.time()) ? 0 : 1;
        }
        assertThat(ties).isGreaterThan(30);
        assertThat(apart).containsOnlyKeys(1, 7, 30);
        assertThat(apart.values()).allMatch(count -> count > 20);
    }

    @Test
    void shouldPlantTheThreeScenariosAsPromised() {
        List<CardPayment> rows = rows(SHAPE);
        Map<Integer, List<CardPayment>> byScenario = new HashMap<>();
        rows.forEach(row -> byScenario
                .computeIfAbsent(row.scenario(), s -> new ArrayList<>())
                .add(row));
        assertThat(byScenario).containsOnlyKeys(0, 1, 2, 3);
        assertThat(byScenario.get(0)).allMatch(row -> row.amountMinor() <= 22_000);
        assertThat(byScenario.get(1)).allMatch(row -> row.amountMinor() > 22_000);
        double fraudShare = 1 - byScenario.get(0).size() / (double) rows.size();
        assertThat(fraudShare).isBetween(0.005, 0.02);
        assertThat(rows).anyMatch(row -> row.amountMinor() == 0);

        Map<Integer, CardPayment> firstAt = new HashMap<>();
        byScenario.get(2).forEach(row -> firstAt.putIfAbsent(row.terminal(), row));
        firstAt.forEach((terminal, first) -> assertThat(rows.stream()
                        .filter(row -> row.terminal() == terminal && row.id() >= first.id())
                        .filter(row ->
                                Duration.between(first.time(), row.time()).compareTo(Duration.ofDays(1)) < 0))
                .as("payments within a day after the first fraud at terminal %d", terminal)
                .allMatch(CardPayment::fraud));
    }

    @Test
    void shouldRefuseAShapeOfNothing() {
        assertThatThrownBy(() -> new HandbookShape(1, 0, 10, LocalDate.of(2025, 1, 1), 10))
                .hasMessage("customers: expected 1 to 100000, found 0");
    }

    private static List<CardPayment> rows(HandbookShape shape) {
        List<CardPayment> rows = new ArrayList<>();
        HandbookShapedData.of(shape).forEach(rows::add);
        return rows;
    }
}
