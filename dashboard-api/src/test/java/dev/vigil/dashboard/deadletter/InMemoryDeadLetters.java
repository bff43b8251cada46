package dev.vigil.dashboard.deadletter;

import dev.vigil.event.TopicNames;
import dev.vigil.service.ServiceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@link DeadLetters} without a broker; held to the same contract. A cursor is the position of the last letter told. */
public final class InMemoryDeadLetters implements DeadLetters {
    /** What was put back. */
    public record PutBack(
            String topic, int partition, byte @Nullable [] key, byte @Nullable [] value, List<LetterHeader> headers) {}

    private final TopicNames topics = new TopicNames("vigil");
    private final Map<LetterPosition, StoredLetter> letters = new TreeMap<>();
    private final Map<LetterPosition, RetryMark> marks = new HashMap<>();
    private final List<PutBack> putBack = new ArrayList<>();
    private boolean away;

    public synchronized LetterPosition add(
            int partition, long atMs, byte @Nullable [] key, byte @Nullable [] value, List<LetterHeader> headers) {
        long offset = letters.keySet().stream()
                .filter(position -> position.partition() == partition)
                .count();
        LetterPosition position = new LetterPosition(partition, offset);
        letters.put(position, new StoredLetter(position, atMs, key, value, headers));
        return position;
    }

    /** From now on the broker does not answer, or does again. */
    public synchronized void away(boolean isAway) {
        away = isAway;
    }

    public synchronized List<PutBack> putBack() {
        return List.copyOf(putBack);
    }

    @Override
    public synchronized LetterPage list(LetterFilter filter, int limit, @Nullable String cursor) {
        requireBroker();
        List<LetterSummary> matching = letters.values().stream()
                .filter(filter::matches)
                .map(this::summary)
                .sorted(LetterSummary.NEWEST_FIRST)
                .toList();
        int from = 0;
        if (cursor != null) {
            LetterPosition last = LetterPosition.parse(cursor);
            from = matching.stream().map(LetterSummary::position).toList().indexOf(last) + 1;
        }
        List<LetterSummary> page = matching.subList(from, Math.min(matching.size(), from + limit));
        boolean isLast = from + page.size() == matching.size();
        return new LetterPage(
                page, isLast ? null : page.get(page.size() - 1).position().toString());
    }

    @Override
    public synchronized Optional<StoredLetter> find(LetterPosition position) {
        requireBroker();
        return Optional.ofNullable(letters.get(position));
    }

    @Override
    public synchronized LetterSummary summary(StoredLetter letter) {
        return LetterSummary.of(letter, topics).withRetry(marks.get(letter.position()));
    }

    @Override
    public synchronized List<RetryOutcome> retry(SortedSet<LetterPosition> positions) {
        requireBroker();
        return positions.stream().map(this::retry).toList();
    }

    private RetryOutcome retry(LetterPosition position) {
        StoredLetter letter = letters.get(position);
        if (letter == null) {
            return RetryOutcome.refused(position, RetryOutcome.GONE);
        }
        RetryTarget target = RetryTarget.of(letter, topics);
        String topic = target.topic();
        if (topic == null) {
            return RetryOutcome.refused(position, String.valueOf(target.refusal()));
        }
        putBack.add(new PutBack(topic, target.partition(), letter.key(), letter.value(), letter.originalHeaders()));
        RetryOutcome outcome = RetryOutcome.into(position, topic, target.partition(), putBack.size() - 1);
        marks.put(position, new RetryMark(letter.atMs() + 1, String.valueOf(outcome.into())));
        return outcome;
    }

    private void requireBroker() {
        if (away) {
            throw new ServiceException("no answer from Kafka at 10.0.0.7:9092 within 8 s");
        }
    }
}
