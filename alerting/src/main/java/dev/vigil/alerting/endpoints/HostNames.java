package dev.vigil.alerting.endpoints;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks host names up. */
@FunctionalInterface
public interface HostNames {
    /** As the system does it. */
    HostNames SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    List<InetAddress> addresses(String host) throws UnknownHostException;
}
