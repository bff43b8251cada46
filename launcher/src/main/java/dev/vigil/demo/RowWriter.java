package dev.vigil.demo;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.FraudLabel;
import dev.vigil.demo.bank.Payment;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Inserts payments and labels into PostgreSQL, what waits in one transaction; runs on a thread of its own. */
final class RowWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RowWriter.class);
    /** SQL state classes after which the same batch may succeed: connection, rollback, resources, intervention. */
    private static final Set<String> PASSING = Set.of("08", "40", "53", "57");

    private final BankDatabase database;
    private final Lane<Action> lane;
    private final TrafficCounts counts;
    private final Sleeper sleeper;

    RowWriter(BankDatabase database, Lane<Action> lane, TrafficCounts counts, Sleeper sleeper) {
        this.database = database;
        this.lane = lane;
        this.counts = counts;
        this.sleeper = sleeper;
    }

    /** @throws SQLException if PostgreSQL refuses a batch for good */
    void run() throws SQLException, InterruptedException {
        for (List<Action> batch = lane.takeBatch(); !batch.isEmpty(); batch = lane.takeBatch()) {
            boolean accepted = false;
            try {
                insert(batch);
                accepted = true;
            } finally {
                if (!accepted) {
                    counts.abandoned(batch.size());
                }
            }
            counts.accepted(batch);
        }
    }

    private void insert(List<Action> batch) throws SQLException, InterruptedException {
        List<Payment> payments = only(Payment.class, batch);
        List<FraudLabel> labels = only(FraudLabel.class, batch);
        BackOff backOff = new BackOff(sleeper);
        boolean broken = false;
        while (true) {
            try {
                if (broken) {
                    database.reconnect();
                }
                database.insert(payments, labels);
                return;
            } catch (SQLException e) {
                if (!isPassing(e)) {
                    throw e;
                }
                LOG.warn("PostgreSQL did not take {} rows, trying again: {}", batch.size(), firstLine(e));
                counts.databaseRetry();
                broken = true;
                backOff.pause(0);
            }
        }
    }

    /** PostgreSQL adds lines of context to its messages. */
    static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static boolean isPassing(SQLException e) {
        String state = e.getSQLState();
        return state != null && state.length() == 5 && PASSING.contains(state.substring(0, 2));
    }

    private static <T extends Action> List<T> only(Class<T> type, List<Action> batch) {
        return batch.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
