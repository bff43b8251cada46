package dev.vigil.backtest.service;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Card payments in the handbook's columns, seeded, with ties and exact window edges, and a brute-force reading of them. */
final class CardRows {
    static final String HEADER = "TRANSACTION_ID,TX_DATETIME,CUSTOMER_ID,TERMINAL_ID,TX_AMOUNT,TX_FRAUD";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
    private static final long START_S =
            LocalDateTime.parse("2026-01-01T00:00:00").toEpochSecond(ZoneOffset.UTC);
    private static final int DAY_S = 86_400;

    /** @param timeS seconds since the epoch */
    record Row(int id, long timeS, int customer, int terminal, long amountMinor, boolean fraud) {
        String line() {
            return id + ","
                    + LocalDateTime.ofEpochSecond(timeS, 0, ZoneOffset.UTC).format(TIME) + "," + customer + ","
                    + terminal + "," + BigDecimal.valueOf(amountMinor, 2) + "," + (fraud ? 1 : 0);
        }
    }

    private CardRows() {}

    /** In time order; payments of one customer in one second in the order of their ids. */
    static List<Row> seeded(long seed, int rows, int customers, int days) {
        Random random = new Random(seed);
        List<Row> unordered = new ArrayList<>();
        int[] edges = {0, DAY_S, 7 * DAY_S, 30 * DAY_S, DAY_S - 1, 7 * DAY_S + 1};
        while (unordered.size() < rows) {
            long time = START_S + random.nextInt(days * DAY_S);
            int customer = random.nextInt(customers);
            unordered.add(row(random, time, customer));
            if (random.nextInt(4) == 0) {
                unordered.add(row(random, time + edges[random.nextInt(edges.length)], customer));
            }
        }
        unordered.sort(Comparator.comparingLong(Row::timeS));
        List<Row> ordered = new ArrayList<>();
        for (Row row : unordered) {
            ordered.add(new Row(
                    ordered.size(), row.timeS(), row.customer(), row.terminal(), row.amountMinor(), row.fraud()));
        }
        return ordered;
    }

    private static Row row(Random random, long timeS, int customer) {
        long amount = random.nextInt(20) == 0 ? 0 : random.nextInt(24_000);
        return new Row(0, timeS, customer, random.nextInt(50), amount, amount > 22_000 || random.nextInt(50) == 0);
    }

    static Path write(Path file, List<Row> rows) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        rows.forEach(row -> lines.add(row.line()));
        return Files.write(file, lines);
    }

    /** Payments of the customer up to this row in (t − days, t]. */
    static List<Row> window(List<Row> rows, int position, int days) {
        Row last = rows.get(position);
        List<Row> window = new ArrayList<>();
        for (Row row : rows.subList(0, position + 1)) {
            if (row.customer() == last.customer() && row.timeS() > last.timeS() - (long) days * DAY_S) {
                window.add(row);
            }
        }
        return window;
    }

    /** The mean amount in major units, the double nearest to the exact one. */
    static double mean(List<Row> window) {
        long sum = window.stream().mapToLong(Row::amountMinor).sum();
        return BigDecimal.valueOf(sum, 2)
                .divide(BigDecimal.valueOf(window.size()), MathContext.DECIMAL128)
                .doubleValue();
    }
}
