package dev.vigil.dashboard.intake;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.card.CardNumberConfig;
import java.time.Duration;

/**
 * The {@code dashboard.intake} section.
 *
 * @param unknownFields what becomes of events that have them
 * @param maxBodyBytes of a request; more is answered 413
 * @param maxEvents of a batch
 * @param maxDataBytes of one event's data; below what the broker takes as one record
 * @param maxInFlight requests that wait for the broker at the same time; more are answered 429
 * @param maxInFlightBytes of data in these requests; more are answered 429
 * @param kafka events by Kafka; the limits of one event and of a batch are those above
 * @param brokerTimeout until an append that the broker does not confirm is answered 503
 */
public record IntakeConfig(
        UnknownFields unknownFields,
        CardNumberConfig cardNumbers,
        RateLimitConfig rateLimit,
        int maxBodyBytes,
        int maxEvents,
        int maxDataBytes,
        int maxInFlight,
        int maxInFlightBytes,
        KafkaIntakeConfig kafka,
        Duration brokerTimeout) {
    public IntakeConfig {
        if (maxDataBytes > maxBodyBytes) {
            throw new IllegalArgumentException(
                    "max-data-bytes " + maxDataBytes + " is more than max-body-bytes " + maxBodyBytes);
        }
    }

    public static IntakeConfig defaults() {
        return new IntakeConfig(
                UnknownFields.WARN,
                CardNumberConfig.defaults(),
                RateLimitConfig.defaults(1_000),
                1 << 20,
                1_000,
                1 << 18,
                64,
                1 << 24,
                KafkaIntakeConfig.defaults(),
                Duration.ofSeconds(10));
    }

    public static IntakeConfig from(ConfigNode node) {
        node.knownKeys(
                "unknown-fields",
                "card-numbers",
                "rate-limit",
                "max-body-bytes",
                "max-events",
                "max-data-bytes",
                "max-in-flight",
                "max-in-flight-bytes",
                "kafka",
                "broker-timeout");
        IntakeConfig defaults = defaults();
        int maxBodyBytes = node.get("max-body-bytes", defaults.maxBodyBytes, n -> n.integerBetween(1_024, 1 << 26));
        int maxEvents = node.get("max-events", defaults.maxEvents, n -> n.integerBetween(1, 100_000));
        return new IntakeConfig(
                node.get(
                        "unknown-fields",
                        defaults.unknownFields,
                        n -> n.read("ignore, warn or refuse", UnknownFields::parse)),
                node.get("card-numbers", defaults.cardNumbers, CardNumberConfig::from),
                node.find("rate-limit")
                        .map(n -> RateLimitConfig.from(n, maxEvents))
                        .orElse(RateLimitConfig.defaults(maxEvents)),
                maxBodyBytes,
                maxEvents,
                node.get(
                        "max-data-bytes",
                        Math.min(maxBodyBytes, defaults.maxDataBytes),
                        n -> n.integerBetween(1, maxBodyBytes)),
                node.get("max-in-flight", defaults.maxInFlight, n -> n.integerBetween(1, 1_024)),
                node.get(
                        "max-in-flight-bytes",
                        Math.max(maxBodyBytes, defaults.maxInFlightBytes),
                        n -> n.integerBetween(maxBodyBytes, 1 << 30)),
                node.get("kafka", defaults.kafka, KafkaIntakeConfig::from),
                node.get("broker-timeout", defaults.brokerTimeout, ConfigNode::duration));
    }
}
