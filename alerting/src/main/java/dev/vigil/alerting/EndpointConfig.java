package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * One endpoint.
 *
 * @param name 1 to 64 of letters, digits, dot, hyphen, underscore; keys the outbox, so a renamed endpoint is a new one
 * @param channel what it understands
 * @param allowPrivate may lie in a private network or on this machine
 * @param connectTimeout for the connection, TLS included
 * @param timeout for the whole attempt, from the look-up of the name to the answer's status
 * @param maxInFlight attempts at the same time
 * @param maxPerSecond attempts begun per second; 0: as many as there are
 * @param tls certificates, where the usual ones do not do
 * @param filter only alerts that it wants are sent
 * @param order holds for alerts that are taken from when it was chosen
 */
public record EndpointConfig(
        String name,
        EndpointUrl url,
        Channel channel,
        boolean allowPrivate,
        Duration connectTimeout,
        Duration timeout,
        int maxInFlight,
        int maxPerSecond,
        EndpointTls tls,
        AlertFilter filter,
        DeliveryOrder order) {
    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);
    private static final int DEFAULT_MAX_IN_FLIGHT = 16;

    private static final String[] KEYS = Stream.concat(
                    Stream.of(
                            "name",
                            "url",
                            "channel",
                            "secrets",
                            "routing-key",
                            "allow-private",
                            "connect-timeout",
                            "timeout",
                            "max-in-flight",
                            "max-per-second",
                            "tls",
                            "order"),
                    Stream.of(AlertFilter.KEYS))
            .toArray(String[]::new);

    public EndpointConfig {
        if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
            throw new IllegalArgumentException(
                    "expected an endpoint name of 1 to 64 letters, digits, dots, hyphens, underscores, found " + name);
        }
        if (maxInFlight < 1 || maxPerSecond < 0 || timeout.toMillis() < 1 || connectTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("endpoint " + name + ": expected positive time-outs and limits");
        }
        InetAddress literal = url.literalAddress();
        if (!allowPrivate && literal != null && !PublicAddresses.contains(literal)) {
            throw new IllegalArgumentException("endpoint " + name + ": the address " + literal.getHostAddress()
                    + " is not public; say allow-private: true if that is meant");
        }
    }

    /** A public endpoint for every alert, with the default time-outs. */
    public static EndpointConfig of(String name, String url, WebhookSecret... secrets) {
        return withDefaults(name, url, false, secrets);
    }

    /** Like {@link #of}, but it may lie on this machine or in its network, as the demo's receiver does. */
    public static EndpointConfig ofPrivate(String name, String url, WebhookSecret... secrets) {
        return withDefaults(name, url, true, secrets);
    }

    private static EndpointConfig withDefaults(
            String name, String url, boolean allowPrivate, WebhookSecret... secrets) {
        return new EndpointConfig(
                name,
                new EndpointUrl(url),
                new Channel.Webhook(List.of(secrets)),
                allowPrivate,
                DEFAULT_CONNECT_TIMEOUT,
                DEFAULT_TIMEOUT,
                DEFAULT_MAX_IN_FLIGHT,
                0,
                EndpointTls.USUAL,
                AlertFilter.ALL,
                DeliveryOrder.NONE);
    }

    public EndpointConfig withChannel(Channel newChannel) {
        return new EndpointConfig(
                name,
                url,
                newChannel,
                allowPrivate,
                connectTimeout,
                timeout,
                maxInFlight,
                maxPerSecond,
                tls,
                filter,
                order);
    }

    public EndpointConfig withTimeout(Duration newTimeout) {
        return new EndpointConfig(
                name,
                url,
                channel,
                allowPrivate,
                connectTimeout,
                newTimeout,
                maxInFlight,
                maxPerSecond,
                tls,
                filter,
                order);
    }

    public EndpointConfig withMaxInFlight(int newMaxInFlight) {
        return new EndpointConfig(
                name,
                url,
                channel,
                allowPrivate,
                connectTimeout,
                timeout,
                newMaxInFlight,
                maxPerSecond,
                tls,
                filter,
                order);
    }

    public EndpointConfig withMaxPerSecond(int newMaxPerSecond) {
        return new EndpointConfig(
                name,
                url,
                channel,
                allowPrivate,
                connectTimeout,
                timeout,
                maxInFlight,
                newMaxPerSecond,
                tls,
                filter,
                order);
    }

    public EndpointConfig withTls(EndpointTls newTls) {
        return new EndpointConfig(
                name,
                url,
                channel,
                allowPrivate,
                connectTimeout,
                timeout,
                maxInFlight,
                maxPerSecond,
                newTls,
                filter,
                order);
    }

    public EndpointConfig withFilter(AlertFilter newFilter) {
        return new EndpointConfig(
                name,
                url,
                channel,
                allowPrivate,
                connectTimeout,
                timeout,
                maxInFlight,
                maxPerSecond,
                tls,
                newFilter,
                order);
    }

    public EndpointConfig withOrder(DeliveryOrder newOrder) {
        return new EndpointConfig(
                name,
                url,
                channel,
                allowPrivate,
                connectTimeout,
                timeout,
                maxInFlight,
                maxPerSecond,
                tls,
                filter,
                newOrder);
    }

    /** @throws dev.vigil.config.ConfigException with the place, without any secret or URL */
    public static EndpointConfig from(ConfigNode node) {
        node.knownKeys(KEYS);
        Channel channel = Channel.from(node);
        return Channel.guarded(
                node,
                n -> new EndpointConfig(
                        node.require("name").text(),
                        url(node, channel),
                        channel,
                        node.get("allow-private", false, ConfigNode::bool),
                        node.get("connect-timeout", DEFAULT_CONNECT_TIMEOUT, ConfigNode::duration),
                        node.get("timeout", DEFAULT_TIMEOUT, ConfigNode::duration),
                        node.get("max-in-flight", DEFAULT_MAX_IN_FLIGHT, limit -> limit.integerBetween(1, 1_000)),
                        node.get("max-per-second", 0, limit -> limit.integerBetween(1, 100_000)),
                        node.get("tls", EndpointTls.USUAL, EndpointTls::from),
                        AlertFilter.from(node),
                        node.get("order", DeliveryOrder.NONE, EndpointConfig::order)));
    }

    private static DeliveryOrder order(ConfigNode node) {
        return node.read("none or account", text -> switch (text) {
            case "none" -> DeliveryOrder.NONE;
            case "account" -> DeliveryOrder.ACCOUNT;
            default -> throw new IllegalArgumentException(text);
        });
    }

    private static EndpointUrl url(ConfigNode node, Channel channel) {
        if (channel instanceof Channel.PagerDuty && !node.has("url")) {
            return new EndpointUrl(Channel.PAGER_DUTY_URL);
        }
        return Channel.guarded(node.require("url"), url -> new EndpointUrl(url.text()));
    }
}
