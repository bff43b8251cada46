package dev.vigil.engine.kafka;

import dev.vigil.event.TopicNames;
import dev.vigil.service.EpochClock;
import dev.vigil.service.LatencyRecorder;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.Producer;

/**
 * What the tasks of an engine send with. Safe for any thread.
 *
 * @param ingestToDecision of events as they came, see {@link ScoringTask#catchUpTo}
 * @param decisions events scored, whichever
 * @param flusher sends what waits
 * @param schemaRecords whether the scored topic is told the types of what follows
 */
record OutputSender(
        Producer<byte[], byte[]> producer,
        TopicNames topics,
        EpochClock clock,
        LatencyRecorder ingestToDecision,
        LongAdder decisions,
        OutputFlusher flusher,
        boolean schemaRecords) {}
