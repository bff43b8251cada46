package dev.vigil.alerting;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * Tells addresses of the public internet from those that reach into a private network, this machine or a cloud's
 * metadata service. IPv4: everything but the special-purpose blocks of RFC 6890. IPv6: only global unicast
 * ({@code 2000::/3}), and of it nothing that wraps an IPv4 address (6to4, Teredo; NAT64 and mapped ones lie outside) or
 * is set aside for documents and protocols.
 */
public final class PublicAddresses {
    private static final List<Block> CLOSED_IPV4 = List.of(
            Block.of("0.0.0.0", 8),
            Block.of("10.0.0.0", 8),
            Block.of("100.64.0.0", 10),
            Block.of("127.0.0.0", 8),
            Block.of("169.254.0.0", 16),
            Block.of("172.16.0.0", 12),
            Block.of("192.0.0.0", 24),
            Block.of("192.0.2.0", 24),
            Block.of("192.31.196.0", 24),
            Block.of("192.52.193.0", 24),
            Block.of("192.88.99.0", 24),
            Block.of("192.168.0.0", 16),
            Block.of("192.175.48.0", 24),
            Block.of("198.18.0.0", 15),
            Block.of("198.51.100.0", 24),
            Block.of("203.0.113.0", 24),
            Block.of("224.0.0.0", 4),
            Block.of("240.0.0.0", 4));
    private static final Block GLOBAL_UNICAST = Block.of("2000::", 3);
    private static final List<Block> CLOSED_IPV6 = List.of(
            Block.of("2001::", 23),
            Block.of("2001:db8::", 32),
            Block.of("2002::", 16),
            Block.of("2620:4f:8000::", 48),
            Block.of("3fff::", 20));

    private PublicAddresses() {}

    /** Whether packets to it leave for the public internet. An IPv4-mapped IPv6 address is judged as the IPv4 one. */
    public static boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            return CLOSED_IPV4.stream().noneMatch(block -> block.contains(bytes));
        }
        return GLOBAL_UNICAST.contains(bytes) && CLOSED_IPV6.stream().noneMatch(block -> block.contains(bytes));
    }

    private record Block(byte[] prefix, int bitCount) {
        static Block of(String literal, int bitCount) {
            try {
                return new Block(InetAddress.getByName(literal).getAddress(), bitCount);
            } catch (java.net.UnknownHostException e) {
                throw new IllegalStateException("not an address literal: " + literal, e);
            }
        }

        boolean contains(byte[] address) {
            if (address.length != prefix.length) {
                return false;
            }
            for (int bit = 0; bit < bitCount; bit++) {
                int mask = 0x80 >> (bit % 8);
                if (((address[bit / 8] ^ prefix[bit / 8]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
