package dev.vigil.lakehouse.iceberg;

import dev.vigil.lakehouse.ColumnType;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/** Plans what to read, by Iceberg's own scan planning. Safe for any thread. */
public final class HistoryScans {
    private HistoryScans() {}

    /**
     * @param wanted by table name; of the tables in the namespace, and those of {@link HistoryTable} that are not there
     *     yet and count as empty
     * @param asOf the tables as they stood then; absent: as they stand now. A table that did not exist then is empty
     * @throws ServiceException if a table's files cannot be read from here
     */
    public static List<TableFiles> plan(HistoryCatalog catalog, Predicate<String> wanted, @Nullable Instant asOf) {
        Map<String, TableFiles> plans = new LinkedHashMap<>();
        for (String name : catalog.tableNames()) {
            if (wanted.test(name)) {
                plans.put(name, plan(catalog.load(name), name, asOf));
            }
        }
        for (HistoryTable table : HistoryTable.values()) {
            String name = table.tableName();
            if (wanted.test(name) && !plans.containsKey(name)) {
                plans.put(name, new TableFiles(name, null, columns(HistorySchemas.schema(table)), List.of()));
            }
        }
        return List.copyOf(plans.values());
    }

    /** Of the tables in the namespace, and those of {@link HistoryTable} that are not there yet; sorted. */
    public static SortedSet<String> tableNames(HistoryCatalog catalog) {
        SortedSet<String> names = new TreeSet<>(catalog.tableNames());
        for (HistoryTable table : HistoryTable.values()) {
            names.add(table.tableName());
        }
        return names;
    }

    /**
     * Types of a struct's columns, in the table's order, by the names of the columns; empty where the table or the struct
     * is not there.
     *
     * @param struct {@code fields} or {@code features}
     */
    public static Map<String, ColumnType> structColumns(HistoryCatalog catalog, HistoryTable table, String struct) {
        return catalog.tableNames().contains(table.tableName())
                ? new StructWriter(catalog.load(table.tableName()).schema(), struct)
                        .columns()
                        .columns()
                : Map.of();
    }

    private static TableFiles plan(Table table, String name, @Nullable Instant asOf) {
        Long snapshotId = asOf == null
                ? (table.currentSnapshot() == null
                        ? null
                        : table.currentSnapshot().snapshotId())
                : snapshotAt(table, asOf);
        if (snapshotId == null) {
            return new TableFiles(name, null, columns(table.schema()), List.of());
        }
        // Without a time the newest schema: it may have columns already that the newest snapshot has not.
        Schema schema = asOf == null ? table.schema() : SnapshotUtil.schemaFor(table, snapshotId);
        List<Path> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().useSnapshot(snapshotId).planFiles()) {
            for (FileScanTask task : tasks) {
                if (!task.deletes().isEmpty()) {
                    throw new ServiceException("table " + name + ": expected data files without deletes, found "
                            + task.deletes().size() + " delete files on "
                            + task.file().location()
                            + "; compact the table first");
                }
                files.add(local(name, task.file().location()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TableFiles(name, snapshotId, columns(schema), files);
    }

    private static @Nullable Long snapshotAt(Table table, Instant asOf) {
        Long snapshotId = null;
        for (HistoryEntry entry : table.history()) {
            if (entry.timestampMillis() <= asOf.toEpochMilli()) {
                snapshotId = entry.snapshotId();
            }
        }
        return snapshotId;
    }

    private static Path local(String table, String location) {
        if (!LocalFileIO.isLocal(location)) {
            throw new ServiceException("table " + table + ": the query engine in this process reads local files, found "
                    + location + "; use an engine that reads the catalog, such as Spark or Trino");
        }
        return LocalFileIO.path(location);
    }

    private static List<TableFiles.Column> columns(Schema schema) {
        List<TableFiles.Column> columns = new ArrayList<>();
        for (Types.NestedField field : schema.columns()) {
            columns.add(new TableFiles.Column(field.name(), SqlTypes.of(field.type())));
        }
        return columns;
    }
}
