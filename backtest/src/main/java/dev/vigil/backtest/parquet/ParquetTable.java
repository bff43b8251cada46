package dev.vigil.backtest.parquet;

import dev.vigil.backtest.ScoredColumns;
import dev.vigil.event.FieldType;
import dev.vigil.service.ServiceException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;

/**
 * Turns the CSV table of scored events into Parquet (zstd), row by row in the same order. Appending row by row through
 * JDBC takes about four times as long.
 */
public final class ParquetTable {
    /** Decimals of 64 bits; a sum beyond that is absent from the features anyway. */
    private static final int MONEY_PRECISION = 19;

    private ParquetTable() {}

    /**
     * @param memoryMegabytes that DuckDB may use outside the heap
     * @throws ServiceException if the file cannot be written
     */
    public static void convert(Path csv, Path parquet, ScoredColumns columns, int memoryMegabytes) {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            // One thread, so that the same rows give the same bytes.
            statement.execute("SET threads = 1");
            statement.execute("SET memory_limit = '" + memoryMegabytes + "MB'");
            statement.execute("SET temp_directory = ''");
            statement.execute("COPY (SELECT * FROM read_csv(" + text(csv.toString())
                    + ", auto_detect = false, parallel = false, header = true, delim = ',', quote = '\"', escape = '\"',"
                    + " nullstr = '', allow_quoted_nulls = false, new_line = '\\n', max_line_size = 16777216, columns = "
                    + types(columns) + ")) TO " + text(parquet.toString())
                    + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)");
        } catch (SQLException e) {
            throw new ServiceException(parquet + ": cannot be written: " + firstLine(e), e);
        }
    }

    private static String types(ScoredColumns columns) {
        StringJoiner types = new StringJoiner(", ", "{", "}");
        for (ScoredColumns.Column column : columns.columns()) {
            types.add(text(column.name()) + ": " + text(type(column.type(), columns.moneyDigits())));
        }
        return types.toString();
    }

    private static String type(FieldType type, int moneyDigits) {
        return switch (type) {
            case STRING -> "VARCHAR";
            case LONG -> "BIGINT";
            case DOUBLE -> "DOUBLE";
            case BOOL -> "BOOLEAN";
            case TIMESTAMP -> "TIMESTAMPTZ";
            case MONEY -> "DECIMAL(" + MONEY_PRECISION + "," + moneyDigits + ")";
        };
    }

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
