package dev.vigil.dashboard.intake;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address of the Internet Protocol, or a network of them: {@code 192.0.2.7}, {@code 10.0.0.0/8}, {@code fd00::/8}.
 *
 * @param prefix leading bits that an address of the network shares with it
 */
public record AddressRange(InetAddress address, int prefix) {
    private static final Pattern IPV4 = Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern TEXT = Pattern.compile("([0-9a-fA-F:.]{2,45})(?:/([0-9]{1,3}))?");

    /** @throws IllegalArgumentException for anything else, names of hosts included */
    public static AddressRange parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(text);
        }
        InetAddress address = address(parts.group(1));
        int bits = address.getAddress().length * Byte.SIZE;
        int prefix = parts.group(2) == null ? bits : Integer.parseInt(parts.group(2));
        if (prefix > bits) {
            throw new IllegalArgumentException(text);
        }
        return new AddressRange(address, prefix);
    }

    /**
     * An address as it is written; no name is ever looked up.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static InetAddress address(String text) {
        boolean isLiteral = text.contains(":")
                ? text.matches("[0-9a-fA-F:.]+")
                : IPV4.matcher(text).matches();
        if (!isLiteral) {
            throw new IllegalArgumentException(text);
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    public boolean contains(InetAddress other) {
        return Arrays.equals(network(address, prefix), network(other, prefix));
    }

    /** The leading bits of an address, the others 0. */
    static byte[] network(InetAddress address, int prefix) {
        byte[] bytes = address.getAddress();
        for (int bit = prefix; bit < bytes.length * Byte.SIZE; bit++) {
            bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
        }
        return bytes;
    }
}
