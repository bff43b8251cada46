package dev.vigil.cdc.debezium;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
