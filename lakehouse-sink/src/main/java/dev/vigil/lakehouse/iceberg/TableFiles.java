package dev.vigil.lakehouse.iceberg;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query has to read for one table at one snapshot.
 *
 * @param snapshotId absent where the table had no snapshot yet, or does not exist yet
 * @param files Parquet data files, without deletes to apply
 */
public record TableFiles(String table, @Nullable Long snapshotId, List<Column> columns, List<Path> files) {
    public TableFiles {
        columns = List.copyOf(columns);
        files = List.copyOf(files);
    }

    /** @param sqlType as DuckDB writes types, {@code STRUCT("amount" DECIMAL(38,2))} */
    public record Column(String name, String sqlType) {}
}
