package dev.vigil.demo;

import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.demo.bank.FraudLabel;
import dev.vigil.demo.bank.Payment;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The made-up bank's PostgreSQL database, over one connection; every call commits.
 *
 * <p>Inserting a payment or label whose id is there already does nothing, so a batch whose commit had an unknown outcome is
 * simply inserted again. Not thread-safe.
 */
public final class BankDatabase implements AutoCloseable {
    /** What an account did before the demo begins, so that the first payments already have an average to differ from. */
    static final int PAST_PAYMENTS_PER_ACCOUNT = 3;

    private final String jdbcUrl;
    private final Properties properties;
    private Connection connection;

    private BankDatabase(String jdbcUrl, Properties properties) throws SQLException {
        this.jdbcUrl = jdbcUrl;
        this.properties = properties;
        this.connection = open();
    }

    /** @throws SQLException if the database cannot be reached */
    public static BankDatabase connect(String jdbcUrl, String user, String password) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("ApplicationName", "vigil-demo-bank");
        properties.setProperty("tcpKeepAlive", "true");
        return new BankDatabase(jdbcUrl, properties);
    }

    private Connection open() throws SQLException {
        Connection opened = DriverManager.getConnection(jdbcUrl, properties);
        opened.setAutoCommit(false);
        return opened;
    }

    /** Replaces a broken connection by a new one. */
    void reconnect() throws SQLException {
        connection.close();
        connection = open();
    }

    /** The bank that lives in this database; empty if {@link #openBank} was never called on it. */
    public Optional<BankShape> storedShape() throws SQLException {
        return inTransaction(() -> tableExists() ? readShape() : Optional.empty());
    }

    /**
     * Creates what is missing of the schema. In a new database it then inserts the population of a bank of this shape and
     * three past payments for every account, all in one transaction; otherwise the bank that lives there continues,
     * whatever shape is asked for.
     *
     * @param now the past payments end two hours before
     * @return the bank that lives there
     */
    public Bank openBank(BankShape shapeIfNew, Instant now) throws SQLException {
        return inTransaction(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(Resources.text("schema.sql"));
            }
            Optional<BankShape> stored = readShape();
            if (stored.isPresent()) {
                return Bank.of(stored.get());
            }
            Bank bank = Bank.of(shapeIfNew);
            Rows.insertPopulation(connection, bank, now);
            Rows.insertPayments(connection, bank.history(now, PAST_PAYMENTS_PER_ACCOUNT));
            return bank;
        });
    }

    /** One above the highest id in {@code transactions}. */
    public long nextPaymentId() throws SQLException {
        return inTransaction(() -> queryLong("SELECT coalesce(max(transaction_id), 0) + 1 FROM transactions"));
    }

    /** The number of rows in {@code transactions}, past payments included. */
    public long paymentCount() throws SQLException {
        return inTransaction(() -> queryLong("SELECT count(*) FROM transactions"));
    }

    /** The number of rows in {@code fraud_labels}. */
    public long labelCount() throws SQLException {
        return inTransaction(() -> queryLong("SELECT count(*) FROM fraud_labels"));
    }

    /** Inserts payments and then labels in one transaction; returns how many rows are new. */
    public int insert(List<Payment> payments, List<FraudLabel> labels) throws SQLException {
        return inTransaction(() -> Rows.insertPayments(connection, payments) + Rows.insertLabels(connection, labels));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private boolean tableExists() throws SQLException {
        return queryLong("SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename = 'bank'") > 0;
    }

    private Optional<BankShape> readShape() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT seed, accounts FROM bank")) {
            return rows.next() ? Optional.of(new BankShape(rows.getLong(1), rows.getInt(2))) : Optional.empty();
        }
    }

    private long queryLong(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private <T> T inTransaction(Work<T> work) throws SQLException {
        try {
            T result = work.run();
            connection.commit();
            return result;
        } catch (SQLException failure) {
            rollBack(failure);
            throw failure;
        }
    }

    private void rollBack(SQLException failure) {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private interface Work<T> {
        T run() throws SQLException;
    }
}
