package dev.vigil.service.status;

import org.jspecify.annotations.Nullable;

/**
 * Kafka intake of one process. Every record that was read is in exactly one of the counts; a record that was read again after a
 * crash counts again.
 *
 * @param problem why nothing is read at the moment, in one line; absent while reading
 * @param partitions of the topic that this process reads
 * @param accepted events that the log acknowledged
 * @param deadLettered records refused for good
 * @param skipped records that are no events by their nature: without value and attributes
 * @param missed records that were gone before they were read
 * @param lag records not read yet, in these partitions; absent where not known
 * @param lastEventTimeUs event time of the newest accepted event
 */
public record KafkaIntakeStatus(
        @Nullable String problem,
        int partitions,
        long accepted,
        long deadLettered,
        long skipped,
        long missed,
        @Nullable Long lag,
        @Nullable Long lastEventTimeUs) {}
