package dev.vigil.alerting;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an endpoint listens. Only {@code http} and {@code https}, without user info; a host is a name, four decimal
 * numbers or an IPv6 address in brackets, never another spelling of an address ({@code 2130706433}, {@code 0x7f000001},
 * {@code 0177.0.0.1}), since clients and resolvers disagree on what those mean. Path and query may hold a token, so
 * {@link #toString} and every complaint leave them out.
 */
public record EndpointUrl(String text) {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern NUMBER = Pattern.compile("\\d+|0[xX][0-9a-fA-F]*");

    /** @throws IllegalArgumentException with what was expected, without the text */
    public EndpointUrl {
        URI uri = parse(text);
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        require(scheme.equals("http") || scheme.equals("https"), "expected a URL that starts with https:// or http://");
        require(
                uri.getRawAuthority() == null || uri.getRawAuthority().indexOf('@') < 0,
                "expected a URL without user info: credentials do not belong in it");
        String host = uri.getHost();
        require(
                host != null && !host.isEmpty(),
                "expected a URL with a host name of letters, digits, dots and hyphens");
        require(
                isPlainHost(host),
                "expected a host name or a plainly written address, not a number that stands for one");
    }

    public String host() {
        return parse(text).getHost();
    }

    /** The address, if the host is one and not a name; looked up nowhere. */
    @Nullable
    public InetAddress literalAddress() {
        String host = host();
        if (!host.startsWith("[") && !IPV4.matcher(host).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("expected an address that exists as the host", e);
        }
    }

    /** Tells this URL from another without giving it away. */
    String fingerprint() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** As WHATWG's URL standard puts it: a host that ends in a number is an IPv4 address, so it has to look like one. */
    private static boolean isPlainHost(String host) {
        if (host.startsWith("[")) {
            return host.indexOf('%') < 0;
        }
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        String lastLabel = name.substring(name.lastIndexOf('.') + 1);
        if (!NUMBER.matcher(lastLabel).matches()) {
            return true;
        }
        if (!IPV4.matcher(host).matches()) {
            return false;
        }
        for (String part : host.split("\\.", -1)) {
            boolean octal = part.length() > 1 && part.charAt(0) == '0';
            if (octal || Integer.parseInt(part) > 255) {
                return false;
            }
        }
        return true;
    }

    private static URI parse(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "expected a URL, found " + e.getReason().toLowerCase(Locale.ROOT));
        }
    }

    private static void require(boolean holds, String expectation) {
        if (!holds) {
            throw new IllegalArgumentException(expectation);
        }
    }

    /** Scheme, host and port only. */
    @Override
    public String toString() {
        URI uri = parse(text);
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()) + "/…";
    }
}
