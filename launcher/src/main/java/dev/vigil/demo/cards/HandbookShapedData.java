package dev.vigil.demo.cards;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * Made-up card payments in the columns of the public data set of the Fraud Detection Handbook, so that a backtest has data
 * that may be shipped. Program and numbers are our own; only the columns and the three kinds of fraud are the handbook's:
 *
 * <ol>
 *   <li>every payment above 220.00 is fraud,
 *   <li>for 28 days every payment at a compromised terminal is fraud,
 *   <li>for 14 days a third of the payments with a stolen card cost five times as much and are fraud.
 * </ol>
 *
 * <p>What makes windows hard is in it on purpose: payments of one customer in the same second, payments exactly 1, 7 and 30
 * days after another one, amounts of 0.00, customers and terminals that share nothing.
 */
public final class HandbookShapedData {
    public static final String HEADER =
            "TRANSACTION_ID,TX_DATETIME,CUSTOMER_ID,TERMINAL_ID,TX_AMOUNT,TX_FRAUD,TX_FRAUD_SCENARIO";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    private final HandbookShape shape;

    private HandbookShapedData(HandbookShape shape) {
        this.shape = shape;
    }

    public static HandbookShapedData of(HandbookShape shape) {
        return new HandbookShapedData(shape);
    }

    /** Makes the rows up in the order of their ids; holds a day of them in memory. */
    public void forEach(Consumer<CardPayment> consumer) {
        CardWorld world = new CardWorld(shape);
        for (int day = 0; day < shape.days(); day++) {
            world.nextDay().forEach(consumer);
        }
    }

    /**
     * Writes all rows as CSV with a header, compressed if the name ends in {@code .gz}; replaces a file that is there.
     *
     * @return the number of rows
     */
    public long writeCsv(Path file) throws IOException {
        CardWorld world = new CardWorld(shape);
        long rows = 0;
        try (BufferedWriter writer = new BufferedWriter(new OutputStreamWriter(open(file), StandardCharsets.UTF_8))) {
            writer.write(HEADER);
            writer.write('\n');
            for (int day = 0; day < shape.days(); day++) {
                for (CardPayment payment : world.nextDay()) {
                    writer.write(line(payment));
                    rows++;
                }
            }
        }
        return rows;
    }

    static String line(CardPayment payment) {
        return payment.id() + "," + TIME.format(payment.time()) + "," + payment.customer() + "," + payment.terminal()
                + "," + BigDecimal.valueOf(payment.amountMinor(), 2).toPlainString() + "," + (payment.fraud() ? 1 : 0)
                + "," + payment.scenario() + "\n";
    }

    private static OutputStream open(Path file) throws IOException {
        OutputStream out = Files.newOutputStream(file);
        if (!file.getFileName().toString().endsWith(".gz")) {
            return out;
        }
        try {
            return new GZIPOutputStream(out, 1 << 16);
        } catch (IOException e) {
            out.close();
            throw e;
        }
    }
}
