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

    void writeByte(int value) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) value;
    }

    void writeVarint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            writeByte((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        writeByte((int) rest);
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
        writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void writeBytes(byte[] value) {
        writeVarint(value.length);
        if (length + value.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + value.length));
        }
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}
