package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.config.ConfigDocument;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.dashboard.http.ServiceEndpoint;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.EventTimes;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeatureCompletenessTest {
    private static final long NOW_US = EventTimes.parse("2026-03-01T12:00:00Z");

    @TempDir
    Path directory;

    private final StatusBoard board = new StatusBoard();

    private static EngineStatus engine(int partition, long nextOffset, @Nullable Map<String, Long> since) {
        return engine(partition, nextOffset, since, null);
    }

    private static EngineStatus engine(
            int partition, long nextOffset, @Nullable Map<String, Long> since, @Nullable Long lateEntersFromUs) {
        return new EngineStatus(
                "scoring-engine",
                ServiceState.RUNNING,
                null,
                "p",
                2,
                RecordCounts.ZERO,
                0,
                LatencyStatus.NONE,
                LatencyStatus.NONE,
                List.of(new PartitionStatus(
                        partition,
                        nextOffset,
                        nextOffset,
                        NOW_US,
                        RecordCounts.ZERO,
                        0,
                        0,
                        0,
                        null,
                        null,
                        lateEntersFromUs)),
                since);
    }

    private FeatureCompleteness at(String url) throws Exception {
        Path file = Files.writeString(
                directory.resolve("vigil.yaml"), "data-dir: data\nkafka: {bootstrap-servers: \"127.0.0.1:1\"}\n");
        VigilConfig config = VigilConfig.from(ConfigDocument.load(file, Map.of()), directory);
        return new FeatureCompleteness(RunningVigil.of(config, URI.create(url)));
    }

    private ServiceEndpoint endpoint() {
        return ServiceEndpoint.start(HttpConfig.local(0), "endpoint", board, () -> 0, new SimpleMeterRegistry());
    }

    @Test
    void shouldSayWhichFeaturesAreIncompleteUntilWhenOverAllEngines() throws Exception {
        board.add("scoring-engine", () -> engine(0, 10, Map.of("day", NOW_US + 1_000_000, "hour", NOW_US)));
        board.addRemote(() -> List.of(engine(1, 10, Map.of("day", NOW_US + 2_000_000, "hour", NOW_US - 1))));
        try (ServiceEndpoint endpoint = endpoint()) {
            assertThat(at(endpoint.url()).afterActivation(Map.of(0, 9L, 1, 9L)))
                    .containsExactly("day: incomplete for events before 2026-03-01T12:00:02Z");
            assertThat(at(endpoint.url()).shown())
                    .containsExactlyInAnyOrder(
                            "features, and the event time from which on each is complete",
                            "  day: 2026-03-01T12:00:02Z, not reached yet",
                            "  hour: 2026-03-01T12:00:00Z");
        }
    }

    @Test
    void shouldSayFromWhenOnLateEventsAreEntered() throws Exception {
        board.add("scoring-engine", () -> engine(0, 10, Map.of("hour", NOW_US), NOW_US - 2_000_000));
        board.addRemote(() -> List.of(engine(1, 10, Map.of("hour", NOW_US), NOW_US - 1_000_000)));
        String late =
                "late: update: late events before 2026-03-01T11:59:59Z are put aside and correct nothing, since what"
                        + " their windows hold was forgotten";
        try (ServiceEndpoint endpoint = endpoint()) {
            assertThat(at(endpoint.url()).afterActivation(Map.of(0, 9L, 1, 9L)))
                    .containsExactly("every feature is complete", late);
            assertThat(at(endpoint.url()).shown()).contains(late);
        }
    }

    @Test
    void shouldWaitUntilThePolicyIsTaken() throws Exception {
        AtomicLong asked = new AtomicLong();
        board.add(
                "scoring-engine",
                () -> asked.incrementAndGet() < 3
                        ? engine(0, 9, Map.of("old", NOW_US + 1))
                        : engine(0, 10, Map.of("new", NOW_US)));
        try (ServiceEndpoint endpoint = endpoint()) {
            assertThat(at(endpoint.url()).afterActivation(Map.of(0, 9L))).containsExactly("every feature is complete");
            assertThat(asked.get()).isEqualTo(3);
        }
    }

    @Test
    void shouldSayWhatItCannotTell() throws Exception {
        assertThat(at("http://127.0.0.1:1").afterActivation(Map.of(0, 0L)))
                .containsExactly(
                        "since when its features are complete is not known: nothing listens at http://127.0.0.1:1;"
                                + " is Vigil running?");
        try (ServiceEndpoint endpoint = endpoint()) {
            assertThat(at(endpoint.url()).shown())
                    .containsExactly("since when its features are complete is not known: no engine is known at "
                            + endpoint.url());
        }
        board.add("scoring-engine", () -> engine(0, 1, null));
        try (ServiceEndpoint endpoint = endpoint()) {
            assertThat(at(endpoint.url()).shown())
                    .containsExactly("no event so far: a window is complete its length after the first one");
        }
    }
}
