package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.config.ConfigDocument;
import dev.vigil.embedded.EmbeddedDatabase;
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
import org.awaitility.Awaitility;

/** A small bank in a schema of its own, with the configuration that captures it. */
final class CapturedBank implements AutoCloseable {

    private final EmbeddedDatabase database;
    private final Path directory;
    final String name;
    final LogReader log;
    private boolean acceptGap;
    private String moreTables = "";
    private String transactionsAccount = "account_id";
    private CardNumberConfig cardNumbers = CardNumberConfig.defaults();

    private CapturedBank(EmbeddedDatabase database, Path directory, String name) {
        this.database = database;
        this.directory = directory;
        this.name = name;
        this.log = new LogReader(Servers.kafka().bootstrapServers(), new TopicNames(name));
    }

    static CapturedBank create(Path directory) throws SQLException {
        return create(directory, Servers.database());
    }

    static CapturedBank create(Path directory, EmbeddedDatabase database) throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        CapturedBank bank = new CapturedBank(database, directory, name);
        bank.createTables();
        return bank;
    }

    /** The same bank on another server, which may have it already. */
    CapturedBank on(EmbeddedDatabase server) {
        return new CapturedBank(server, directory, name);
    }

    void createTables() throws SQLException {
        execute(
                "CREATE SCHEMA " + name,
                "CREATE TABLE " + table("accounts") + " (account_id text PRIMARY KEY, home_country text NOT NULL,"
                        + " opened_at timestamp NOT NULL, credit_limit numeric(12,2) NOT NULL, notes text)",
                "CREATE TABLE " + table("transactions") + " (transaction_id bigint PRIMARY KEY, account_id text,"
                        + " amount numeric, country text, lat double precision, created_at timestamptz)",
                "CREATE TABLE " + table("fraud_labels") + " (transaction_id bigint PRIMARY KEY, account_id text,"
                        + " is_fraud boolean, labelled_at timestamptz)");
        for (String table : new String[] {"accounts", "transactions", "fraud_labels"}) {
            execute("ALTER TABLE " + table(table) + " REPLICA IDENTITY FULL");
        }
    }

    String table(String table) {
        return name + "." + table;
    }

    String source(String table) {
        return "/cdc/" + database.database() + "/" + table(table);
    }

    /** From the next {@link #ingest} on. */
    void acceptGap() {
        acceptGap = true;
    }

    /**
     * Payments find their account through a card.
     *
     * @param account as the cards' mapping has it
     */
    void payThroughCards(String account) throws SQLException {
        execute(
                "ALTER TABLE " + table("transactions") + " ADD card_id bigint",
                "CREATE TABLE " + table("cards") + " (card_id bigint PRIMARY KEY, account_id text, holder_id bigint)");
        transactionsAccount = "{lookup: card, by: card_id}";
        moreTables += "  " + table("cards") + ": {lookup: card, account: " + account + "}\n";
    }

    /** From the next {@link #ingest} on. */
    void cardNumbers(CardNumberConfig config) {
        cardNumbers = config;
    }

    void map(String table, String mapping) {
        mapOf(name, table, mapping);
    }

    void mapOf(String schema, String table, String mapping) {
        moreTables += "  " + schema + "." + table + ": " + mapping + "\n";
    }

    CdcConfig config() {
        return config(database);
    }

    CdcConfig config(EmbeddedDatabase server) {
        return CdcConfig.from(ConfigDocument.parse("vigil.yaml", yaml(server)), cardNumbers);
    }

    String yaml(EmbeddedDatabase server) {
        return """
            database: {host: %s, port: %d, user: %s, password: %s, name: %s}
            slot: %s
            publication: %s
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
                                server.host(),
                                server.port(),
                                server.user(),
                                server.password(),
                                server.database(),
                                name,
                                name,
                                acceptGap,
                                name,
                                transactionsAccount,
                                name,
                                name)
                + moreTables;
    }

    KafkaConfig kafka() {
        return kafka(Servers.kafka().bootstrapServers());
    }

    KafkaConfig kafka(String bootstrapServers) {
        return new KafkaConfig(
                bootstrapServers, new TopicNames(name), 2, (short) 1, (short) 1, Duration.ofDays(1), Map.of());
    }

    Path directory() {
        return directory;
    }

    /** A service on this bank, not yet started. */
    CdcIngest ingest() {
        return new CdcIngest(config(), kafka(), directory, null);
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    String query(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    Connection connect() throws SQLException {
        return database.connect();
    }

    /** One payment per id, in one transaction; account {@code a<id % 7>}, one second after the other. */
    void insertPayments(int fromId, int toId) throws SQLException {
        execute("INSERT INTO " + table("transactions") + " SELECT i, 'a' || (i % 7), i + 0.25, 'DE', 52.5,"
                + " timestamptz '2026-01-01 00:00:00Z' + i * interval '1 second' FROM generate_series(" + fromId + ", "
                + toId + ") i");
    }

    /** The server lets go of a slot a moment after its consumer went away. */
    void awaitSlotFree() {
        Awaitility.await()
                .until(() -> query(
                                "SELECT count(*) FROM pg_replication_slots WHERE active AND slot_name = '" + name + "'")
                        .equals("0"));
    }

    void dropSlot() throws SQLException {
        execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '" + name
                + "'");
    }

    @Override
    public void close() throws SQLException {
        awaitSlotFree();
        dropSlot();
        execute("DROP PUBLICATION IF EXISTS " + name, "DROP SCHEMA " + name + " CASCADE");
    }
}
