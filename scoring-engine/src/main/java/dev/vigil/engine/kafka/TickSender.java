package dev.vigil.engine.kafka;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.service.kafka.EventRecords;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes idle ticks into the log. One that is lost is told again with a later time. Safe for any thread. */
record TickSender(Producer<byte[], byte[]> producer, String topic) {
    private static final Logger LOG = LoggerFactory.getLogger(TickSender.class);

    void send(int partition, long timeUs) {
        EventEnvelope tick = new EventEnvelope(
                partition + "@" + timeUs, "/vigil/tick", EventTypes.TICK, timeUs, "", false, new byte[0]);
        var unused = producer.send(EventRecords.control(topic, partition, tick), (metadata, exception) -> {
            if (exception != null) {
                LOG.warn("tick for partition {} was not written: {}", partition, exception.getMessage());
            }
        });
    }
}
