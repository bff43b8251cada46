package dev.vigil.dashboard.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * While we listen on the loopback address, refuses requests under a foreign name: a page elsewhere could otherwise let
 * its own name resolve to this machine and read what the browser may (DNS rebinding).
 */
final class HostCheck implements Handler {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final Set<String> allowed;
    private final boolean open;

    HostCheck(HttpConfig config) {
        this.allowed = new HashSet<>(LOOPBACK);
        config.allowedHosts().forEach(host -> allowed.add(host.toLowerCase(Locale.ROOT)));
        this.open = !LOOPBACK.contains(config.host()) && config.allowedHosts().isEmpty();
    }

    @Override
    public void handle(Context ctx) {
        if (!open && !allowed.contains(name(ctx.header("Host")))) {
            throw new ProblemException(Problem.of(
                    403, "foreign-host", "Forbidden", "This name is not among the allowed hosts of this service."));
        }
    }

    private static String name(@Nullable String host) {
        if (host == null) {
            return "";
        }
        int port = host.lastIndexOf(':');
        boolean hasPort = port > host.lastIndexOf(']');
        return (hasPort ? host.substring(0, port) : host).toLowerCase(Locale.ROOT);
    }
}
