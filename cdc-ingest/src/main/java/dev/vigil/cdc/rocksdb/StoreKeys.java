package dev.vigil.cdc.rocksdb;

import dev.vigil.cdc.RowKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of the store: a letter for the kind, then texts that end with a zero byte, which no text of PostgreSQL holds, and
 * numbers big-endian, so that the order of keys is the order wanted.
 */
final class StoreKeys {
    static final byte[] FORMAT = {'V'};
    static final byte[] FACTS = {'P'};
    static final byte[] WAITING_BY_TIME = {'T'};

    private StoreKeys() {}

    static byte[] row(RowKey key) {
        return named('R', key);
    }

    /** Before every row of the table. */
    static byte[] rows(String table) {
        byte[] name = utf8(table);
        return ByteBuffer.allocate(2 + name.length)
                .put((byte) 'R')
                .put(name)
                .put((byte) 0)
                .array();
    }

    static String rowId(byte[] rowKey, String table) {
        int from = rows(table).length;
        return new String(rowKey, from, rowKey.length - from - 1, StandardCharsets.UTF_8);
    }

    /** Before every row that waits for that one. */
    static byte[] waitingFor(RowKey missing) {
        return named('W', missing);
    }

    static byte[] waitingFor(RowKey missing, long seq) {
        byte[] prefix = waitingFor(missing);
        return ByteBuffer.allocate(prefix.length + Long.BYTES)
                .put(prefix)
                .putLong(seq)
                .array();
    }

    static long seq(byte[] waitingKey) {
        return ByteBuffer.wrap(waitingKey, waitingKey.length - Long.BYTES, Long.BYTES)
                .getLong();
    }

    static RowKey missing(byte[] waitingKey) {
        int end = 1;
        while (waitingKey[end] != 0) {
            end++;
        }
        return new RowKey(
                new String(waitingKey, 1, end - 1, StandardCharsets.UTF_8),
                new String(waitingKey, end + 1, waitingKey.length - end - 2 - Long.BYTES, StandardCharsets.UTF_8));
    }

    static byte[] waitingSince(long committedUs, long seq) {
        return ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put((byte) 'T')
                .putLong(committedUs ^ Long.MIN_VALUE)
                .putLong(seq)
                .array();
    }

    static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static byte[] named(char kind, RowKey key) {
        byte[] table = utf8(key.table());
        byte[] id = utf8(key.id());
        return ByteBuffer.allocate(3 + table.length + id.length)
                .put((byte) kind)
                .put(table)
                .put((byte) 0)
                .put(id)
                .put((byte) 0)
                .array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
