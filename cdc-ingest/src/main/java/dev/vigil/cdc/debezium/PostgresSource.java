package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.PublicationIdentity;
import dev.vigil.cdc.postgres.SourceChecks;
import dev.vigil.cdc.postgres.SourceDatabase;
import dev.vigil.cdc.postgres.SourceFacts;
import dev.vigil.cdc.postgres.StoredPosition;
import dev.vigil.cdc.postgres.TableFacts;
import dev.vigil.cdc.rocksdb.CaptureStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL database, read through a replication slot. */
final class PostgresSource implements CaptureSource {

    private static final int HEARTBEATS_MISSED = 4;
    private static final Duration LOG_DELAY = Duration.ofSeconds(10);

    private final CdcConfig config;
    private final SourceDatabase database;
    private final SourceChecks checks;
    private volatile @Nullable SourceFacts facts;

    PostgresSource(CdcConfig config) {
        this.config = config;
        this.database = new SourceDatabase(config.database());
        this.checks = new SourceChecks(config, database);
    }

    @Override
    public String owner() {
        return config.slot();
    }

    @Override
    public String ownerKey() {
        return "replication slot '" + config.slot() + "' (cdc.slot)";
    }

    @Override
    public boolean verify(CaptureStore store, @Nullable DeclaredFields declared) {
        OptionalLong lsn = EnginePosition.confirmedLsn(store.position().offsets());
        SourceFacts found = checks.verify(
                new StoredPosition(
                        store.directory().toString(),
                        !store.slot().isEmpty(),
                        lsn,
                        store.server(),
                        store.tables(),
                        store.publication()),
                declared);
        facts = found;
        return lsn.isEmpty() || found.readAnew();
    }

    private SourceFacts facts() {
        return Objects.requireNonNull(facts, "not verified yet");
    }

    @Override
    public void beginAnew() {
        // The engine makes the slot, which is the only thing that a snapshot begins with.
    }

    @Override
    public String server() {
        return facts().server();
    }

    @Override
    public @Nullable PublicationIdentity publication() {
        return facts().publication();
    }

    @Override
    public List<String> misfits(DeclaredFields declared) {
        SourceFacts known = facts;
        return known == null ? List.of() : checks.misfits(known, declared);
    }

    @Override
    public @Nullable Long estimatedRows() {
        Collection<TableFacts> tables = facts().tables().values();
        boolean known = tables.stream().allMatch(table -> table.estimatedRows() >= 0);
        return known
                ? (Long) tables.stream().mapToLong(TableFacts::estimatedRows).sum()
                : null;
    }

    @Override
    public Properties settings(Map<String, String> offsets, Path requests) {
        return EngineSettings.of(config, facts(), offsets, requests);
    }

    @Override
    public SourceRecords records() {
        return new RowChanges(facts());
    }

    @Override
    public Optional<Duration> logSilenceMax() {
        return Optional.of(config.heartbeat().multipliedBy(HEARTBEATS_MISSED).plus(LOG_DELAY));
    }

    @Override
    public Connection connect() {
        return database.connect();
    }

    @Override
    public OptionalLong lagBytes(Connection connection, CapturePosition position) throws SQLException {
        return SourceChecks.slotLagBytes(connection, config.slot());
    }

    @Override
    public Optional<String> hole(Connection connection) throws SQLException {
        return checks.hole(connection, facts());
    }
}
