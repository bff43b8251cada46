package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.mysql.BinlogPosition;
import dev.vigil.cdc.mysql.MySqlChecks;
import dev.vigil.cdc.mysql.MySqlDatabase;
import dev.vigil.cdc.mysql.MySqlFacts;
import dev.vigil.cdc.mysql.MySqlTable;
import dev.vigil.cdc.mysql.StoredBinlogPosition;
import dev.vigil.cdc.rocksdb.CaptureStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The databases of a MySQL server, read through its binary log. */
final class MySqlSource implements CaptureSource {

    private static final Logger log = LoggerFactory.getLogger(MySqlSource.class);

    private final CdcConfig config;
    private final MySqlDatabase database;
    private final MySqlChecks checks;
    private final Path schemaHistory;
    private volatile @Nullable MySqlFacts facts;

    MySqlSource(CdcConfig config, Path dataDirectory) {
        this.config = config;
        this.database = new MySqlDatabase(config.database());
        this.checks = new MySqlChecks(config, database);
        this.schemaHistory = SchemaHistoryFile.in(dataDirectory);
    }

    @Override
    public String owner() {
        return "mysql:" + config.database().name();
    }

    @Override
    public String ownerKey() {
        return owner() + " (cdc.database)";
    }

    @Override
    public boolean verify(CaptureStore store, @Nullable DeclaredFields declared) {
        Map<String, String> offsets = store.position().offsets();
        MySqlFacts found = checks.verify(
                new StoredBinlogPosition(
                        MySqlRecords.position(offsets),
                        MySqlRecords.gtids(offsets),
                        store.server(),
                        Files.exists(schemaHistory),
                        schemaHistory.toString()),
                declared);
        if (facts == null && !ZoneId.systemDefault().getRules().isFixedOffset()) {
            log.warn(
                    "the JVM's zone is {}: a datetime in the hour that it leaves out each year cannot be told from the"
                            + " next one by a snapshot, and is refused; -Duser.timezone=UTC leaves none out",
                    ZoneId.systemDefault());
        }
        if (facts == null && !found.numbersTransactions()) {
            log.warn("gtid_mode is not ON: vigil cdc snapshot cannot be carried out, and a binary log that was reset"
                    + " is noticed in most cases only");
        }
        facts = found;
        return found.readAnew();
    }

    private MySqlFacts facts() {
        return Objects.requireNonNull(facts, "not verified yet");
    }

    /** What the tables looked like before says nothing of the log that is read from now on. */
    @Override
    public void beginAnew() {
        SchemaHistoryFile.delete(schemaHistory);
    }

    @Override
    public String server() {
        return facts().server();
    }

    @Override
    public List<String> misfits(DeclaredFields declared) {
        MySqlFacts known = facts;
        return known == null ? List.of() : checks.misfits(known, declared);
    }

    @Override
    public @Nullable Long estimatedRows() {
        Collection<MySqlTable> tables = facts().tables().values();
        boolean known = tables.stream().allMatch(table -> table.estimatedRows() >= 0);
        return known
                ? (Long) tables.stream().mapToLong(MySqlTable::estimatedRows).sum()
                : null;
    }

    @Override
    public Properties settings(Map<String, String> offsets, Path requests) {
        return MySqlEngineSettings.of(config, facts(), database.sslMode(), offsets, requests, schemaHistory);
    }

    @Override
    public SourceRecords records() {
        return new MySqlRecords();
    }

    /** The engine waits on for a server that was killed. */
    @Override
    public Optional<Duration> silenceMax() {
        return Optional.of(config.heartbeat().multipliedBy(4).plusSeconds(5));
    }

    @Override
    public Connection connect() {
        return database.connect();
    }

    @Override
    public OptionalLong lagBytes(Connection connection, CapturePosition position) throws SQLException {
        Optional<BinlogPosition> place = MySqlRecords.position(position.offsets());
        return place.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        MySqlChecks.lagBytes(connection, place.get(), MySqlRecords.gtids(position.offsets())));
    }
}
