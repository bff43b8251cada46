package dev.vigil.backtest.csv;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of RFC 4180 text in UTF-8: LF or CRLF, values in double quotes where they hold separators, quotes or line
 * breaks. Blank lines are passed over. Values are looked at in place; a row is gone when the next is read. One thread.
 *
 * <p>A row that breaks the rules is reported as such and costs no other: a quote that is never closed ends its own line
 * only.
 */
final class CsvReader implements AutoCloseable {
    /** A longer row is taken for damage. */
    static final int MAX_ROW_BYTES = 256 * 1024;

    private static final int NEED_MORE = -1;

    private final InputStream in;
    private final byte delimiter;
    private byte[] buffer = new byte[2 * MAX_ROW_BYTES];
    private int position;
    private int limit;
    private boolean ended;
    private boolean first = true;
    private long line = 1;
    private long rowLine;
    private int size;
    private int[] starts = new int[32];
    private int[] ends = new int[32];
    private boolean[] quoted = new boolean[32];
    private @Nullable String problem;

    CsvReader(InputStream in, char delimiter) {
        this.in = in;
        this.delimiter = (byte) delimiter;
    }

    /** Goes to the next row; false at the end. */
    boolean next() throws IOException {
        if (first) {
            first = false;
            skipByteOrderMark();
        }
        while (true) {
            if (position == limit && !fill()) {
                return false;
            }
            int end = parse();
            while (end == NEED_MORE && limit - position <= MAX_ROW_BYTES && !ended) {
                fill();
                end = parse();
            }
            if (end == NEED_MORE) {
                end = giveUp();
            }
            rowLine = line;
            line += lineBreaks(position, end);
            position = end;
            if (size != 1 || starts[0] != ends[0] || quoted[0] || problem != null) {
                return true;
            }
        }
    }

    private void skipByteOrderMark() throws IOException {
        while (limit < 3 && fill()) {
            // Until there are three bytes, or no more.
        }
        if (limit >= 3 && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
            position = 3;
        }
    }

    /** Reads more behind what is there; false if there is no more. */
    private boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        if (position > 0) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            limit -= position;
            position = 0;
        }
        int read = in.read(buffer, limit, buffer.length - limit);
        ended = read < 0;
        limit += Math.max(read, 0);
        return !ended;
    }

    /** @return where the next row begins, or {@link #NEED_MORE} if this one goes on beyond what was read */
    private int parse() {
        size = 0;
        problem = null;
        int at = position;
        while (true) {
            boolean inQuotes = at < limit && buffer[at] == '"';
            int start = inQuotes ? at + 1 : at;
            int end = inQuotes ? closingQuote(start) : endOfValue(start);
            if (end == NEED_MORE) {
                return NEED_MORE;
            }
            at = inQuotes ? end + 1 : end;
            add(start, end, inQuotes);
            if (at == limit) {
                if (!ended) {
                    return NEED_MORE;
                }
                trimCarriageReturn(inQuotes);
                return at;
            }
            byte after = buffer[at];
            if (inQuotes && after == '\r') {
                if (at + 1 == limit && !ended) {
                    return NEED_MORE;
                }
                if (at + 1 == limit || buffer[at + 1] == '\n') {
                    return Math.min(at + 2, limit);
                }
            }
            if (after == '\n') {
                trimCarriageReturn(inQuotes);
                return at + 1;
            }
            if (after != delimiter) {
                problem = "a quoted value goes on behind its closing quote";
                return endOfLine(at);
            }
            at++;
        }
    }

    private int closingQuote(int from) {
        for (int i = from; i < limit; i++) {
            if (buffer[i] == '"') {
                if (i + 1 < limit && buffer[i + 1] == '"') {
                    i++;
                } else if (i + 1 < limit || ended) {
                    return i;
                } else {
                    return NEED_MORE;
                }
            }
        }
        return NEED_MORE;
    }

    private int endOfValue(int from) {
        int i = from;
        while (i < limit && buffer[i] != delimiter && buffer[i] != '\n') {
            i++;
        }
        return i;
    }

    private int endOfLine(int from) {
        for (int i = from; i < limit; i++) {
            if (buffer[i] == '\n') {
                return i + 1;
            }
        }
        return ended ? limit : NEED_MORE;
    }

    private void trimCarriageReturn(boolean inQuotes) {
        int last = size - 1;
        if (!inQuotes && ends[last] > starts[last] && buffer[ends[last] - 1] == '\r') {
            ends[last]--;
        }
    }

    /** The row is too long, or its quote is not closed before the end: it ends with its first line. */
    private int giveUp() {
        size = 0;
        problem = ended
                ? "a quote is opened and not closed before the end"
                : "a row is longer than " + MAX_ROW_BYTES + " bytes; is a quote not closed?";
        int end = endOfLine(position);
        return end == NEED_MORE ? limit : end;
    }

    private void add(int start, int end, boolean inQuotes) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
            quoted = Arrays.copyOf(quoted, size * 2);
        }
        starts[size] = start;
        ends[size] = end;
        quoted[size] = inQuotes;
        size++;
    }

    private int lineBreaks(int from, int to) {
        int breaks = 0;
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\n') {
                breaks++;
            }
        }
        return breaks;
    }

    /** Line on which the row begins, from 1. */
    long line() {
        return rowLine;
    }

    /** Number of values in the row. */
    int size() {
        return size;
    }

    /** What is wrong with the row, for a person; null if nothing. Its values are of no meaning otherwise. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Whether there is nothing between the separators; quotes around nothing count as a value. */
    boolean isEmpty(int column) {
        return starts[column] == ends[column];
    }

    String text(int column) {
        String text = new String(buffer, starts[column], ends[column] - starts[column], StandardCharsets.UTF_8);
        return quoted[column] && text.indexOf('"') >= 0 ? text.replace("\"\"", "\"") : text;
    }

    /** The array in which the row's bytes lie; valid until the next row. */
    byte[] bytes() {
        return buffer;
    }

    int start(int column) {
        return starts[column];
    }

    int end(int column) {
        return ends[column];
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
