package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.AddressRange;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Who sent a request: the other end of the connection, or, where that is a proxy that is trusted, whom it names. Anyone can
 * write {@code X-Forwarded-For}, so that of its addresses the last counts that is no trusted proxy's.
 */
final class ClientAddress {
    private final List<AddressRange> trustedProxies;

    ClientAddress(List<AddressRange> trustedProxies) {
        this.trustedProxies = trustedProxies;
    }

    InetAddress of(HttpServletRequest request) {
        InetAddress client = AddressRange.address(withoutZone(request.getRemoteAddr()));
        if (!isTrusted(client)) {
            return client;
        }
        List<String> hops = new ArrayList<>();
        for (String header : Collections.list(request.getHeaders("X-Forwarded-For"))) {
            hops.addAll(List.of(header.split(",", -1)));
        }
        for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
            try {
                client = AddressRange.address(hops.get(i).strip());
            } catch (IllegalArgumentException e) {
                return client; // the proxy that wrote this is all that is known
            }
        }
        return client;
    }

    /** Whether the other end of the connection is a proxy that is trusted. */
    boolean isThroughTrustedProxy(HttpServletRequest request) {
        return isTrusted(AddressRange.address(withoutZone(request.getRemoteAddr())));
    }

    private boolean isTrusted(InetAddress address) {
        return trustedProxies.stream().anyMatch(range -> range.contains(address));
    }

    /** As in {@code [fe80::1%eth0]}. */
    private static String withoutZone(String address) {
        String bare = address.startsWith("[") ? address.substring(1, address.length() - 1) : address;
        int zone = bare.indexOf('%');
        return zone < 0 ? bare : bare.substring(0, zone);
    }
}
