package dev.vigil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CardStreamTest {
    private static final int COUNT = 100_000;

    private static List<EventEnvelope> events(long seed) {
        CardStream stream = new CardStream(seed);
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            events.add(stream.next());
        }
        return events;
    }

    @Test
    void shouldMakeTheSameEventsFromTheSameSeed() {
        List<String> first = events(7).stream().map(CardStreamTest::text).toList();
        assertThat(events(7).stream().map(CardStreamTest::text)).isEqualTo(first);
        assertThat(text(events(8).get(0))).isNotEqualTo(first.get(0));
    }

    private static String text(EventEnvelope event) {
        return event.id() + event.timeUs() + event.subject() + new String(event.data(), StandardCharsets.US_ASCII);
    }

    @Test
    void shouldGiveTheBusiestAccountTheShareThatZipfsLawGivesIt() {
        Map<String, Long> counts = events(7).stream()
                .map(EventEnvelope::subject)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        List<Long> busiest = counts.values().stream()
                .sorted(Comparator.reverseOrder())
                .limit(3)
                .toList();
        // 1 / (1 + 1/2 + … + 1/100000) = 1 / 12.09
        assertThat(busiest.get(0)).isBetween(8_000L, 8_550L);
        assertThat(busiest.get(2)).isBetween(2_600L, 2_920L);
    }

    @Test
    void shouldBeUpToAMinuteLateTwiceInAHundred() {
        long latest = 0;
        int lateCount = 0;
        for (EventEnvelope event : events(7)) {
            assertThat(event.timeUs()).isGreaterThan(latest - 60_000_000);
            lateCount += event.timeUs() < latest ? 1 : 0;
            latest = Math.max(latest, event.timeUs());
        }
        assertThat(lateCount).isBetween(1_800, 2_200);
    }
}
