package dev.vigil.alerting.http;

import dev.vigil.alerting.PublicAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import javax.net.SocketFactory;
import okhttp3.Dns;

/**
 * Keeps an endpoint's connections on the public internet. A name is refused when it is resolved, if any of its addresses
 * is not public; and whatever a socket is about to connect to is checked once more, because clients take some spellings
 * for addresses and resolve them past the {@link Dns} hook. The checked address is the connected one: nothing is
 * resolved again in between.
 */
final class AddressGuard {
    private AddressGuard() {}

    /** A target was refused; the message names the address. */
    static final class RefusedException extends UnknownHostException {
        private static final long serialVersionUID = 1L;

        RefusedException(InetAddress address) {
            super("refused: the address " + address.getHostAddress() + " is not public");
        }
    }

    static Dns publicOnly(Dns dns) {
        return hostName -> {
            List<InetAddress> addresses = dns.lookup(hostName);
            for (InetAddress address : addresses) {
                check(address);
            }
            return addresses;
        };
    }

    static SocketFactory publicOnlySockets() {
        return new GuardedSocketFactory();
    }

    private static void check(InetAddress address) throws RefusedException {
        if (!PublicAddresses.contains(address)) {
            throw new RefusedException(address);
        }
    }

    private static final class GuardedSocket extends Socket {
        @Override
        public void connect(SocketAddress target, int timeoutMs) throws IOException {
            if (!(target instanceof InetSocketAddress inet) || inet.isUnresolved()) {
                throw new UnknownHostException("expected a resolved address to connect to");
            }
            check(inet.getAddress());
            super.connect(target, timeoutMs);
        }
    }

    /** OkHttp only asks for unconnected sockets. */
    private static final class GuardedSocketFactory extends SocketFactory {
        @Override
        public Socket createSocket() {
            return new GuardedSocket();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw unconnectedOnly();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw unconnectedOnly();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw unconnectedOnly();
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
            throw unconnectedOnly();
        }

        private static UnsupportedOperationException unconnectedOnly() {
            return new UnsupportedOperationException("only unconnected sockets, so that each address is checked");
        }
    }
}
