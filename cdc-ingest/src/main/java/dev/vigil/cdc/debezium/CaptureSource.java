package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.PublicationIdentity;
import dev.vigil.cdc.rocksdb.CaptureStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A kind of database as capture needs it: what has to hold, how the engine is set up for it, how its records are read, and how
 * far behind it is. {@link #verify} comes first, before every run, on one thread at a time; the other methods then speak of what
 * it found, on any thread.
 */
interface CaptureSource {

    /** @param dataDirectory of the service */
    static CaptureSource of(CdcConfig config, Path dataDirectory) {
        return switch (config.database().type()) {
            case POSTGRESQL -> new PostgresSource(config);
            case MYSQL -> new MySqlSource(config, dataDirectory);
        };
    }

    /** What a stored position belongs to, as it is stored beside it and as it can be read out. */
    String owner();

    /** Where the configuration has {@link #owner}. */
    String ownerKey();

    /**
     * Checks the source against the stored position.
     *
     * @param declared fields of the policy that the columns have to fit; null: not to be checked
     * @return whether the tables have to be read anew
     * @throws dev.vigil.cdc.SourceUnreachableException if the database does not answer
     * @throws dev.vigil.service.ServiceException if something does not hold
     */
    boolean verify(CaptureStore store, @Nullable DeclaredFields declared);

    /** Called after {@link #verify} said so, when the store has noted it. Repeated if a run ends before its snapshot does. */
    void beginAnew();

    /** Which server it is, to be stored beside the position. */
    String server();

    /** Which publication it is read through, to be stored beside the position; null where there is no such thing. */
    default @Nullable PublicationIdentity publication() {
        return null;
    }

    /** One line for each mapped column that cannot become the field that the policy declares; empty before it is known. */
    List<String> misfits(DeclaredFields declared);

    /** Rows of all tables as the database believes; null if it does not say. */
    @Nullable
    Long estimatedRows();

    /** Settings for one run of the engine. */
    Properties settings(Map<String, String> offsets, Path requests);

    SourceRecords records();

    /**
     * For how long at most nothing comes from a connection that stands, heartbeats included; empty where the engine itself
     * notices that one is lost.
     */
    default Optional<Duration> silenceMax() {
        return Optional.empty();
    }

    /** After how long without anything of the log something is wrong; empty where heartbeats do not stand in the log. */
    default Optional<Duration> logSilenceMax() {
        return Optional.empty();
    }

    /** For {@link #lagBytes} and {@link #hole}, to be closed by the caller. */
    Connection connect();

    /** Bytes of the database's log that are not captured yet; empty while that is not known. */
    OptionalLong lagBytes(Connection connection, CapturePosition position) throws SQLException;

    /** What the database keeps from the stream at present, or has kept from it, although it is mapped, in one line; empty if nothing. */
    default Optional<String> hole(Connection connection) throws SQLException {
        return Optional.empty();
    }
}
