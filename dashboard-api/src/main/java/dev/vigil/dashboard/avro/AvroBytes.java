package dev.vigil.dashboard.avro;

import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.UnreadableValueException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The primitives of Avro's binary encoding, read off an array. Refuses whatever goes beyond its end before it takes memory for it,
 * so that a few bytes that claim to be a long text cost nothing. One thread.
 */
final class AvroBytes {
    private static final int MAX_VARINT_BYTES = 10;

    private final byte[] bytes;
    private int position;

    AvroBytes(byte[] bytes, int from) {
        this.bytes = bytes;
        this.position = from;
    }

    boolean isAtEnd() {
        return position == bytes.length;
    }

    /** An int or a long: zig-zag, variable length. */
    long number() {
        long value = 0;
        for (int i = 0; i < MAX_VARINT_BYTES; i++) {
            byte b = next();
            value |= (b & 0x7fL) << 7 * i;
            if (b >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw malformed("a number is longer than 64 bits");
    }

    /** An int from 0 to below a limit: of a branch of a union, or a symbol. */
    int index(int limit) {
        long index = number();
        if (index < 0 || index >= limit) {
            throw malformed("expected an index below " + limit + ", found " + index);
        }
        return (int) index;
    }

    boolean bool() {
        byte b = next();
        if (b != 0 && b != 1) {
            throw malformed("expected a boolean of 0 or 1, found " + b);
        }
        return b == 1;
    }

    float real32() {
        return ByteBuffer.wrap(take(Float.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getFloat();
    }

    double real64() {
        return ByteBuffer.wrap(take(Double.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getDouble();
    }

    /** Bytes with their length before them. */
    byte[] bytes() {
        return take(number());
    }

    byte[] fixed(int length) {
        return take(length);
    }

    String text() {
        byte[] utf8 = bytes();
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed("expected UTF-8");
        }
    }

    /** How many items the next block of an array or a map has; 0 at its end. */
    long block() {
        long count = number();
        if (count < 0) {
            var unusedByteCount = number();
            count = -count;
        }
        if (count < 0) {
            throw malformed("a block of no possible length");
        }
        return count;
    }

    private byte next() {
        if (position >= bytes.length) {
            throw malformed("the value ends too early");
        }
        return bytes[position++];
    }

    private byte[] take(long length) {
        if (length < 0 || length > bytes.length - position) {
            throw malformed("the value ends too early");
        }
        byte[] taken = Arrays.copyOfRange(bytes, position, position + (int) length);
        position += (int) length;
        return taken;
    }

    static UnreadableValueException malformed(String detail) {
        return new UnreadableValueException(EventProblem.MALFORMED, "not as its schema says: " + detail);
    }
}
