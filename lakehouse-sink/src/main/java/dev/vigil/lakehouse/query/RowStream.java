package dev.vigil.lakehouse.query;

import dev.vigil.lakehouse.iceberg.TableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Rows of one query as they come, with a directory for what its sort spills. One thread. */
final class RowStream implements Iterator<Map<String, @Nullable Object>> {
    private final Path spill;
    private final DuckDb duck;
    private final Statement statement;
    private final ResultSet result;
    private final List<String> names = new ArrayList<>();
    private boolean more;

    private RowStream(List<TableFiles> tables, String sql, int memoryMb, Path spill) throws SQLException {
        this.spill = spill;
        this.duck = new DuckDb(tables, memoryMb, 2, spill);
        try {
            this.statement = duck.connection().createStatement();
            this.result = statement.executeQuery(sql);
            ResultSetMetaData meta = result.getMetaData();
            for (int i = 1; i <= meta.getColumnCount(); i++) {
                names.add(meta.getColumnName(i));
            }
            this.more = result.next();
        } catch (SQLException e) {
            duck.close();
            throw e;
        }
    }

    static Stream<Map<String, @Nullable Object>> open(List<TableFiles> tables, String sql, int memoryMb) {
        Path spill = null;
        try {
            spill = Files.createTempDirectory("vigil-history");
            RowStream rows = new RowStream(tables, sql, memoryMb, spill);
            Spliterator<Map<String, @Nullable Object>> spliterator =
                    Spliterators.spliteratorUnknownSize(rows, Spliterator.ORDERED | Spliterator.NONNULL);
            return StreamSupport.stream(spliterator, false).onClose(rows::close);
        } catch (SQLException e) {
            delete(spill);
            throw failed(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean hasNext() {
        return more;
    }

    @Override
    public Map<String, @Nullable Object> next() {
        if (!more) {
            throw new NoSuchElementException();
        }
        try {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++) {
                row.put(names.get(i), SqlValues.plain(result.getObject(i + 1)));
            }
            more = result.next();
            return row;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static QueryException failed(SQLException e) {
        return new QueryException(
                QueryException.Kind.FAILED,
                "history is not readable: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                e);
    }

    private void close() {
        try {
            result.close();
            statement.close();
            duck.close();
        } catch (SQLException e) {
            throw failed(e);
        } finally {
            delete(spill);
        }
    }

    private static void delete(@Nullable Path directory) {
        if (directory == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
