package dev.vigil.service.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Settings of Kafka's clients that Vigil sets itself, and why, so that {@code kafka.properties} cannot have them. */
final class OwnSettings {
    private static final Map<String, String> REASONS = reasons();

    private OwnSettings() {}

    /** Why it is Vigil's; empty for one that is the user's. */
    static Optional<String> reason(String setting) {
        return Optional.ofNullable(REASONS.get(setting));
    }

    static Set<String> names() {
        return REASONS.keySet();
    }

    private static Map<String, String> reasons() {
        Map<String, String> reasons = new HashMap<>();
        List.of("acks", "enable.idempotence", "transactional.id")
                .forEach(key -> reasons.put(key, "a record counts as written once, when every in-sync replica has it"));
        List.of("retries", "delivery.timeout.ms")
                .forEach(key -> reasons.put(key, "a record is sent until the broker has it"));
        reasons.put("max.in.flight.requests.per.connection", "records keep their order");
        List.of("partitioner.class", "partitioner.ignore.keys")
                .forEach(key -> reasons.put(key, "an account's records stand in the partition that its key gives"));
        List.of("enable.auto.commit", "auto.commit.interval.ms", "auto.offset.reset")
                .forEach(key -> reasons.put(key, "a position is kept with the state that belongs to it"));
        reasons.put("isolation.level", "only committed records are read");
        List.of(
                        "group.id",
                        "group.instance.id",
                        "group.protocol",
                        "group.remote.assignor",
                        "partition.assignment.strategy",
                        "session.timeout.ms",
                        "heartbeat.interval.ms",
                        "max.poll.interval.ms")
                .forEach(key -> reasons.put(key, "partitions go with their state from one engine to another"));
        List.of("key.serializer", "value.serializer", "key.deserializer", "value.deserializer")
                .forEach(key -> reasons.put(key, "records are compared byte for byte"));
        reasons.put("allow.auto.create.topics", "topics have the partitions and settings that they are created with");
        reasons.put("client.id", "each client has a name of its own");
        reasons.put("bootstrap.servers", "it is kafka.bootstrap-servers");
        List.of(
                        "linger.ms",
                        "batch.size",
                        "buffer.memory",
                        "max.block.ms",
                        "max.request.size",
                        "max.poll.records",
                        "max.partition.fetch.bytes",
                        "fetch.min.bytes",
                        "fetch.max.bytes",
                        "fetch.max.wait.ms")
                .forEach(key -> reasons.put(key, "each client has the one that its work needs"));
        return Map.copyOf(reasons);
    }
}
