package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.config.ConfigDocument;
import dev.vigil.event.TopicNames;
import dev.vigil.event.card.CardNumberConfig;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** A small bank in a database of its own on a MySQL server, with the configuration that captures it. */
final class MySqlBank implements AutoCloseable {

    private final MySqlServer server;
    private final Path directory;
    final String name;
    final LogReader log;
    private String user = "root";
    private String password = "";
    private boolean acceptGap;
    private String moreTables = "";
    private String transactionsAccount = "account_id";

    private MySqlBank(MySqlServer server, Path directory, String name) {
        this.server = server;
        this.directory = directory;
        this.name = name;
        this.log = new LogReader(Servers.kafka().bootstrapServers(), new TopicNames(name));
    }

    static MySqlBank create(Path directory, MySqlServer server) throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        MySqlBank bank = new MySqlBank(server, directory, name);
        bank.createTables();
        return bank;
    }

    /** The same bank on another server, which may have it already. */
    MySqlBank on(MySqlServer other) {
        return new MySqlBank(other, directory, name);
    }

    void createTables() throws SQLException {
        execute(
                "CREATE DATABASE " + name,
                "CREATE TABLE " + table("accounts") + " (account_id varchar(20) PRIMARY KEY, home_country varchar(2),"
                        + " opened_at datetime NOT NULL, credit_limit decimal(12,2) NOT NULL, notes text)",
                "CREATE TABLE " + table("transactions") + " (transaction_id bigint PRIMARY KEY, account_id varchar(20),"
                        + " amount decimal(12,2), country varchar(2), lat double, created_at timestamp(6) NULL)",
                "CREATE TABLE " + table("fraud_labels") + " (transaction_id bigint PRIMARY KEY, account_id varchar(20),"
                        + " is_fraud tinyint(1), labelled_at timestamp NULL)");
    }

    String table(String table) {
        return name + "." + table;
    }

    String source(String table) {
        return "/cdc/" + name + "/" + table(table);
    }

    /** From the next {@link #ingest} on. */
    void acceptGap() {
        acceptGap = true;
    }

    /** From the next {@link #ingest} on. */
    void as(String newUser, String newPassword) {
        user = newUser;
        password = newPassword;
    }

    void payThroughCards() throws SQLException {
        execute(
                "ALTER TABLE " + table("transactions") + " ADD card_id bigint",
                "CREATE TABLE " + table("cards") + " (card_id bigint PRIMARY KEY, account_id varchar(20))");
        transactionsAccount = "{lookup: card, by: card_id}";
        moreTables += "  " + table("cards") + ": {lookup: card, account: account_id}\n";
    }

    void map(String table, String mapping) {
        moreTables += "  " + table(table) + ": " + mapping + "\n";
    }

    CdcConfig config() {
        return CdcConfig.from(ConfigDocument.parse("vigil.yaml", yaml()), CardNumberConfig.defaults());
    }

    String yaml() {
        return """
            database: {type: mysql, host: 127.0.0.1, port: %d, user: %s, password: "%s", name: %s, server-id: %d}
            heartbeat: 300ms
            lookups: {wait: 3s, max-waiting: 50}
            accept-gap: %s
            tables:
              %s.transactions:
                event: transaction
                account: %s
                time: created_at
                fields: {amount: amount, country: country, lat: lat}
              %s.accounts:
                reference: account
                account: account_id
                fields: {home_country: home_country, opened_at: opened_at, credit_limit: credit_limit, notes: notes}
              %s.fraud_labels:
                label: fraud
                event: transaction
                event-id: transaction_id
                account: account_id
                value: is_fraud
                time: labelled_at
            """.formatted(
                                server.port(),
                                user,
                                password,
                                name,
                                1_000 + Math.floorMod(name.hashCode(), 1_000_000),
                                acceptGap,
                                name,
                                transactionsAccount,
                                name,
                                name)
                + moreTables;
    }

    KafkaConfig kafka() {
        return new KafkaConfig(
                Servers.kafka().bootstrapServers(),
                new TopicNames(name),
                2,
                (short) 1,
                (short) 1,
                Duration.ofDays(1),
                Map.of());
    }

    Path directory() {
        return directory;
    }

    /** A service on this bank, not yet started. */
    CdcIngest ingest() {
        return new CdcIngest(config(), kafka(), directory, null);
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    String query(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return String.valueOf(result.getString(1));
        }
    }

    Connection connect() throws SQLException {
        return server.connect();
    }

    /** One payment per id, in one transaction; account {@code a<id % 7>}, one second after the other. */
    void insertPayments(int fromId, int toId) throws SQLException {
        execute(
                "SET SESSION cte_max_recursion_depth = 10000000",
                "INSERT INTO " + table("transactions")
                        + " (transaction_id, account_id, amount, country, lat, created_at)"
                        + " WITH RECURSIVE n (i) AS (SELECT " + fromId + " UNION ALL SELECT i + 1 FROM n WHERE i < "
                        + toId + ") SELECT i, concat('a', i % 7), i + 0.25, 'DE', 52.5,"
                        + " timestampadd(SECOND, i, timestamp '2026-01-01 00:00:00') FROM n");
    }

    @Override
    public void close() throws SQLException {
        execute("DROP DATABASE IF EXISTS " + name);
    }
}
