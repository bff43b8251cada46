package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.deadletter.DeadLetters;
import dev.vigil.dashboard.deadletter.LetterFilter;
import dev.vigil.dashboard.deadletter.LetterPage;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.LetterSummary;
import dev.vigil.dashboard.deadletter.RetryOutcome;
import dev.vigil.dashboard.deadletter.StoredLetter;
import dev.vigil.event.TopicNames;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import dev.vigil.service.kafka.TopicSetup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** {@link DeadLetters} on a broker; each call has a connection of its own. */
public final class KafkaDeadLetters implements DeadLetters {
    /** Kafka's clients would wait for a minute, which is too long for a person. */
    static final Duration PATIENCE = Duration.ofSeconds(8);

    private static final String CLIENT = "vigil-dead-letters";

    private final KafkaConfig config;
    private final TopicNames topics;

    public KafkaDeadLetters(KafkaConfig config) {
        this.config = config;
        this.topics = config.topics();
    }

    @Override
    public LetterPage list(LetterFilter filter, int limit, @Nullable String cursor) {
        try (BoundedReader reader = reader()) {
            LetterPage page = new LetterScan(reader, topics, partitions(reader), filter, limit, cursor).page(limit);
            return new LetterPage(RetryMarks.mark(page.letters(), reader, topics.deadLetterRetries()), page.next());
        }
    }

    @Override
    public Optional<StoredLetter> find(LetterPosition position) {
        try (BoundedReader reader = reader()) {
            TopicPartition partition = new TopicPartition(topics.deadLetters(), position.partition());
            if (!partitions(reader).contains(partition) || !isThere(reader, partition, position.offset())) {
                return Optional.empty();
            }
            AtomicReference<@Nullable StoredLetter> found = new AtomicReference<>();
            reader.read(partition, position.offset(), position.offset() + 1, record -> {
                if (record.offset() == position.offset()) {
                    found.set(StoredLetters.of(record));
                }
            });
            return Optional.ofNullable(found.get());
        }
    }

    private static boolean isThere(BoundedReader reader, TopicPartition partition, long offset) {
        List<TopicPartition> asked = List.of(partition);
        return offset >= Offsets.of(partition, reader.beginnings(asked))
                && offset < Offsets.of(partition, reader.ends(asked));
    }

    @Override
    public LetterSummary summary(StoredLetter letter) {
        try (BoundedReader reader = reader()) {
            return RetryMarks.mark(List.of(LetterSummary.of(letter, topics)), reader, topics.deadLetterRetries())
                    .get(0);
        }
    }

    @Override
    public List<RetryOutcome> retry(SortedSet<LetterPosition> positions) {
        try (BoundedReader reader = reader()) {
            List<TopicPartition> partitions = partitions(reader);
            if (reader.partitions(topics.deadLetterRetries()).isEmpty()) {
                TopicSetup.ensure(config, CLIENT);
            }
            try (LetterRetry retry = new LetterRetry(config, CLIENT, PATIENCE, reader)) {
                return retry.putBack(positions, partitions);
            }
        }
    }

    private BoundedReader reader() {
        return new BoundedReader(config, CLIENT, PATIENCE);
    }

    private List<TopicPartition> partitions(BoundedReader reader) {
        List<TopicPartition> partitions = reader.partitions(topics.deadLetters());
        if (partitions.isEmpty()) {
            throw new ServiceException("there is no topic " + topics.deadLetters() + " at " + config.bootstrapServers()
                    + ": no service of this configuration has started there yet");
        }
        return partitions;
    }
}
