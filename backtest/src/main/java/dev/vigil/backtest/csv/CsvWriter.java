package dev.vigil.backtest.csv;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of RFC 4180 text in UTF-8 with LF. An absent value is nothing between the separators, an empty text two
 * quotes, so that both come back as they were. One thread.
 */
final class CsvWriter implements AutoCloseable {
    private static final int BUFFER_CHARS = 1 << 16;

    private final BufferedWriter out;
    private boolean rowBegun;

    CsvWriter(OutputStream out, List<String> columns) throws IOException {
        this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER_CHARS);
        for (String column : columns) {
            text(column);
        }
        endRow();
    }

    CsvWriter text(@Nullable String value) throws IOException {
        separate();
        if (value == null) {
            return this;
        }
        if (isPlain(value)) {
            out.write(value);
        } else {
            out.write('"');
            out.write(value.replace("\"", "\"\""));
            out.write('"');
        }
        return this;
    }

    /** A value whose text needs no quotes: numbers, booleans, names of ours. */
    CsvWriter plain(@Nullable Object value) throws IOException {
        separate();
        if (value != null) {
            out.write(value.toString());
        }
        return this;
    }

    void endRow() throws IOException {
        out.write('\n');
        rowBegun = false;
    }

    private void separate() throws IOException {
        if (rowBegun) {
            out.write(',');
        }
        rowBegun = true;
    }

    private static boolean isPlain(String value) {
        int length = value.length();
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c == ',' || c == '"' || c == '\n' || c == '\r' || c == ' ') {
                return false;
            }
        }
        return length > 0;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
