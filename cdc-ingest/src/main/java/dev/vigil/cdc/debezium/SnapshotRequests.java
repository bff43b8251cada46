package dev.vigil.cdc.debezium;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DatabaseType;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The file by which a command asks the service to read a table anew, beside the stream. One request per line; the engine takes
 * what it finds there, and remembers in its position how far it has come.
 */
public final class SnapshotRequests {

    private SnapshotRequests() {}

    /** @param dataDirectory of the service */
    static Path file(Path dataDirectory) {
        return dataDirectory.resolve("snapshot-requests.jsonl");
    }

    /**
     * Whether the database takes a condition, asked of it in a transaction that may only read: what fails in the engine would
     * only stand in its log.
     *
     * @param dataDirectory of the service
     * @param table {@code schema.table}, which has to be mapped
     * @return what the database says against it, in one line; empty if nothing
     * @throws ServiceException if it cannot be asked
     */
    public static Optional<String> complaint(CdcConfig config, Path dataDirectory, String table, String where) {
        String quote = config.database().type() == DatabaseType.MYSQL ? "`" : "\"";
        String name = quote + table.replace(quote, quote + quote).replaceFirst("\\.", quote + "." + quote) + quote;
        try (Connection connection = CaptureSource.of(config, dataDirectory).connect()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT 1 FROM " + name + " WHERE (" + where + ") LIMIT 0")) {
                query.execute();
                return Optional.empty();
            } catch (SQLException e) {
                return Optional.of(
                        String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new ServiceException(table + ": the database could not be asked: " + e.getMessage(), e);
        }
    }

    /**
     * Asks for the rows of a table.
     *
     * @param dataDirectory of the service, which need not be running
     * @param table {@code schema.table}, which has to be mapped
     * @param where SQL condition on the table's rows; null: all of them
     */
    public static void add(Path dataDirectory, String table, @Nullable String where) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("id", UUID.randomUUID().toString()).put("type", "execute-snapshot");
        ObjectNode data = request.putObject("data").put("type", "INCREMENTAL");
        String pattern = EngineSettings.literal(table);
        data.putArray("data-collections").add(pattern);
        if (where != null) {
            data.putArray("additional-conditions")
                    .addObject()
                    .put("data-collection", pattern)
                    .put("filter", where);
        }
        Path file = file(dataDirectory);
        try {
            Files.createDirectories(dataDirectory);
            Files.writeString(
                    file,
                    new String(Json.encode(request), StandardCharsets.UTF_8) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new ServiceException(file + ": expected to write the request, found: " + e, e);
        }
    }
}
