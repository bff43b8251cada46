package dev.vigil.scoring.state;

import java.nio.charset.StandardCharsets;

/** Reads what {@link ByteSink} wrote. */
final class ByteSource {
    private final byte[] bytes;
    private int position;

    ByteSource(byte[] bytes) {
        this.bytes = bytes;
    }

    int readByte() {
        if (position >= bytes.length) {
            throw new StateFormatException("a value of " + bytes.length + " bytes ends too early");
        }
        return bytes[position++] & 0xFF;
    }

    long readVarint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new StateFormatException("an integer of more than 64 bits");
    }

    /** Of things of at least a byte each that follow, so that damage cannot ask for more memory than the value has. */
    int readCount() {
        long value = readVarint();
        if (value < 0 || value > bytes.length - position) {
            throw new StateFormatException(
                    "a count of " + value + " where " + (bytes.length - position) + " bytes are left");
        }
        return (int) value;
    }

    int readInt() {
        long value = readVarint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new StateFormatException("an integer of " + value);
        }
        return (int) value;
    }

    long readSigned() {
        long value = readVarint();
        return value >>> 1 ^ -(value & 1);
    }

    long readFixed64() {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | readByte();
        }
        return value;
    }

    String readText() {
        int length = readCount();
        String text = new String(bytes, position, length, StandardCharsets.UTF_8);
        position += length;
        return text;
    }

    /** The object of an equal text that was read lately, if there is one. */
    String readText(KnownTexts texts) {
        int start = position;
        int length = readCount();
        String found = texts.find(bytes, position, length);
        if (found == null) {
            position = start;
            return texts.keep(readText());
        }
        position += length;
        return found;
    }

    boolean isAtEnd() {
        return position == bytes.length;
    }
}
