package dev.vigil.backtest.csv;

import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds an event's data, a JSON object whose values are the columns' texts. Reused from row to row by one thread. */
final class JsonRow {
    private byte[] bytes = new byte[256];
    private int size;

    /** A member's name, escaped once. */
    static final class Name {
        private final byte[] bytes;

        Name(String name) {
            bytes = ("," + new String(Json.encode(name), StandardCharsets.UTF_8) + ":")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    void begin() {
        size = 0;
    }

    /** @return false if the value is not UTF-8; the row is of no use then */
    boolean add(Name name, CsvReader row, int column) {
        write(name.bytes, 0, name.bytes.length);
        int from = row.start(column);
        int to = row.end(column);
        if (isPlain(row.bytes(), from, to)) {
            write((byte) '"');
            write(row.bytes(), from, to - from);
            write((byte) '"');
            return true;
        }
        String text = row.text(column);
        if (text.indexOf('\uFFFD') >= 0) {
            return false;
        }
        addText(text);
        return true;
    }

    void add(Name name, String text) {
        write(name.bytes, 0, name.bytes.length);
        addText(text);
    }

    private void addText(String text) {
        byte[] quoted = Json.encode(text);
        write(quoted, 0, quoted.length);
    }

    /** ASCII that stands in JSON as it is. */
    private static boolean isPlain(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b < 0x20 || b == '"' || b == '\\') {
                return false;
            }
        }
        return true;
    }

    private void write(byte b) {
        ensure(1);
        bytes[size++] = b;
    }

    private void write(byte[] from, int offset, int length) {
        ensure(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    /** The object; its bytes are the caller's. */
    byte[] end() {
        if (size == 0) {
            return new byte[] {'{', '}'};
        }
        byte[] object = new byte[size + 1];
        System.arraycopy(bytes, 0, object, 0, size);
        object[0] = '{';
        object[size] = '}';
        return object;
    }
}
