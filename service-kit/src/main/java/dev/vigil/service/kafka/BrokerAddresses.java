package dev.vigil.service.kafka;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The addresses of a {@code bootstrap-servers} text: {@code host:port}, separated by commas, empty ones left out. */
public final class BrokerAddresses {
    /** As Kafka's clients read it: perhaps a protocol, a host or an IPv6 address in brackets, a port. */
    private static final Pattern FORM =
            Pattern.compile("(?:[0-9A-Za-z._-]*://)?(?:\\[([0-9A-Fa-f:.%]+)]|([0-9A-Za-z._-]+)):([0-9]{1,5})");

    private static final int MAX_PORT = 65_535;

    private final List<InetSocketAddress> unresolved;

    private BrokerAddresses(List<InetSocketAddress> unresolved) {
        this.unresolved = List.copyOf(unresolved);
    }

    /** @throws IllegalArgumentException if there is none, or one is of another form */
    public static BrokerAddresses parse(String text) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String part : text.split(",")) {
            if (!part.isBlank()) {
                addresses.add(address(part.strip()));
            }
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException(text);
        }
        return new BrokerAddresses(addresses);
    }

    private static InetSocketAddress address(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        int port = Integer.parseInt(matcher.group(3));
        if (port == 0 || port > MAX_PORT) {
            throw new IllegalArgumentException(text);
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return InetSocketAddress.createUnresolved(host, port);
    }

    /** Those whose host is known by now. Asks the system's resolver, and waits for it. */
    public List<InetSocketAddress> known() {
        return unresolved.stream()
                .map(address -> new InetSocketAddress(address.getHostString(), address.getPort()))
                .filter(address -> !address.isUnresolved())
                .toList();
    }
}
