package dev.vigil.embedded;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The ports of one data directory, kept in a file beside the data so that clients find the same address after a
 * restart. A kept port that somebody else has taken meanwhile is replaced by another and the file is written again.
 */
final class KeptPorts {

    /**
     * Ports are picked below the range from which Linux and macOS give ports to outgoing connections, so that no client
     * sits on a kept port by chance when its server comes back.
     */
    private static final int LOWEST_PORT = 20_000;

    private static final int HIGHEST_PORT = 29_999;
    private static final int ATTEMPT_COUNT_MAX = 200;

    private final Path file;
    private final Properties kept;
    private final Set<Integer> handedOut = new HashSet<>();

    private KeptPorts(Path file, Properties kept) {
        this.file = file;
        this.kept = kept;
    }

    static KeptPorts load(Path file) {
        Properties kept = new Properties();
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                kept.load(reader);
            } catch (IOException e) {
                throw new EmbeddedStartException("cannot read the kept ports in " + file + ": " + e.getMessage(), e);
            }
        }
        return new KeptPorts(file, kept);
    }

    /** The kept port if it is free, else a free one, which is kept from now on. */
    int portFor(String name) {
        int port = keptPort(name);
        if (port == 0 || !isFree(port)) {
            port = pickFree();
        }
        keep(name, port);
        return port;
    }

    /** Keeps a port that the caller insists on. Throws when it is taken. */
    int fixedPort(String name, String server, int port) {
        if (!isFree(port)) {
            throw new EmbeddedStartException(server + ": expected port " + port
                    + " on 127.0.0.1 to be free, found it in use by another process");
        }
        keep(name, port);
        return port;
    }

    private void keep(String name, int port) {
        handedOut.add(port);
        kept.setProperty(name, Integer.toString(port));
        try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            kept.store(writer, null);
        } catch (IOException e) {
            throw new EmbeddedStartException("cannot write the kept ports to " + file + ": " + e.getMessage(), e);
        }
    }

    private int keptPort(String name) {
        String text = kept.getProperty(name, "0");
        try {
            int port = Integer.parseInt(text);
            return port > 0 && port < 65_536 ? port : 0;
        } catch (NumberFormatException e) {
            throw new EmbeddedStartException(
                    file + ": expected a port number for " + name + ", found '" + text + "'", e);
        }
    }

    private int pickFree() {
        for (int attempt = 0; attempt < ATTEMPT_COUNT_MAX; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT + 1);
            if (!handedOut.contains(port) && isFree(port)) {
                return port;
            }
        }
        throw new EmbeddedStartException("expected a free port between " + LOWEST_PORT + " and " + HIGHEST_PORT
                + ", found none in " + ATTEMPT_COUNT_MAX + " attempts");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
