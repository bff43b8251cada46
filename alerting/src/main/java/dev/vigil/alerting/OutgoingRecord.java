package dev.vigil.alerting;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.Delivery;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record that the outbox owes to Kafka. Published at least once, in order. */
public record OutgoingRecord(
        Destination destination, byte @Nullable [] key, byte[] value, Map<String, byte[]> headers) {
    /** Which topic it goes to. */
    public enum Destination {
        DELIVERIES,
        DEAD_LETTERS,
        /** The log. */
        EVENTS
    }

    public OutgoingRecord {
        headers = Map.copyOf(headers);
    }

    public static OutgoingRecord of(Delivery delivery) {
        byte[] key = delivery.alertId().getBytes(StandardCharsets.UTF_8);
        return new OutgoingRecord(Destination.DELIVERIES, key, Json.encode(delivery), Map.of());
    }

    /** Keyed by its subject, as every record of the log about an account. */
    static OutgoingRecord of(EventEnvelope event) {
        byte[] key = event.subject().getBytes(StandardCharsets.UTF_8);
        return new OutgoingRecord(Destination.EVENTS, key, event.data(), event.headers());
    }

    static OutgoingRecord of(DeadLetter letter, IntakeRecord original) {
        Map<String, byte[]> headers = new LinkedHashMap<>(original.headers());
        headers.putAll(letter.headers());
        return new OutgoingRecord(Destination.DEAD_LETTERS, original.key(), original.value(), headers);
    }
}
