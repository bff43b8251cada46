package dev.vigil.scoring.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Growing bytes. Integers as LEB128 varints, signed ones zigzag; texts as their UTF-8 length and bytes. Reusable. */
final class ByteSink {
    private byte[] bytes = new byte[1024];
    private int length;

    ByteSink reset() {
        length = 0;
        return this;
    }

    /** Goes on behind bytes that were written before. */
    ByteSink resume(byte[] written) {
        length = 0;
        ensure(written.length);
        System.arraycopy(written, 0, bytes, 0, written.length);
        length = written.length;
        return this;
    }

    void setByte(int index, int value) {
        bytes[index] = (byte) value;
    }

    void writeByte(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
    }

    void writeVarint(long value) {
        ensure(10);
        int at = length;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        length = at;
    }

    void writeSigned(long value) {
        writeVarint(value << 1 ^ value >> 63);
    }

    void writeFixed64(long value) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            writeByte((int) (value >>> shift));
        }
    }

    void writeText(String text) {
        int start = length;
        int count = text.length();
        writeVarint(count);
        ensure(count);
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                length = start;
                byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
                writeText(encoded, 0, encoded.length);
                return;
            }
            bytes[length++] = (byte) c;
        }
    }

    /** Of a text that is encoded. */
    void writeText(byte[] from, int offset, int count) {
        writeVarint(count);
        ensure(count);
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}
