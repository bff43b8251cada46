package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Explanation;
import dev.vigil.event.Explanation.Feature;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Asking a running engine why, beside its work. */
@ExtendWith(TestBroker.class)
class ExplainIT {
    @TempDir
    private Path data;

    private Deployment deployment;
    private final TestTraffic traffic = new TestTraffic(3);

    @BeforeEach
    void createTopics(EmbeddedKafka broker) {
        deployment = Deployment.on(broker.bootstrapServers());
    }

    @AfterEach
    void closeClients() {
        deployment.close();
    }

    private List<ScoredEvent> scored() {
        return deployment.outputs().stream()
                .filter(output -> output.topic().endsWith(".scored") && output.key() != null)
                .map(output -> Json.decode(output.value().getBytes(StandardCharsets.ISO_8859_1), ScoredEvent.class))
                .toList();
    }

    private static void refuses(ScoringEngine engine, Kind kind, String account, String id) {
        assertThatThrownBy(() -> engine.explain(account, id, null))
                .isInstanceOfSatisfying(
                        CannotExplainException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void shouldExplainWhatItEmittedAlsoAfterARestart() {
        deployment.activate(TestPolicy.text(1, 700));
        deployment.send(traffic.next(300));
        deployment.activate(TestPolicy.text(2, 300));
        deployment.send(traffic.next(300));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            assertExplained(engine, scored());
            refuses(engine, Kind.UNKNOWN, "nobody", "e");
            refuses(engine, Kind.UNKNOWN, scored().get(0).account(), "no such event");
            assertThat(engine.status().completeSinceUs()).isNotEmpty();
        }
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            assertExplained(engine, scored());
            engine.close();
            refuses(engine, Kind.ELSEWHERE, "nobody", "e");
        }
    }

    private static void assertExplained(ScoringEngine engine, List<ScoredEvent> scored) {
        int judged = 0;
        for (ScoredEvent event : scored.subList(Math.max(0, scored.size() - 40), scored.size())) {
            Explanation explanation = decoded(engine.explain(event.account(), event.eventId(), event.source()));
            assertThat(explanation.position()).isEqualTo(event.position());
            assertThat(explanation.policyVersion()).isEqualTo(event.policyVersion());
            Map<String, Object> features = new LinkedHashMap<>();
            explanation.features().stream()
                    .filter(feature -> feature.value() != null)
                    .forEach(feature -> features.put(feature.name(), feature.value()));
            List<String> doubted = explanation.features().stream()
                    .filter(feature -> !feature.doubts().isEmpty())
                    .map(Feature::name)
                    .toList();
            Map<String, Object> emitted = new LinkedHashMap<>(event.features());
            doubted.forEach(features::remove);
            doubted.forEach(emitted::remove);
            features.replaceAll((name, value) -> plain(value));
            emitted.replaceAll((name, value) -> plain(value));
            assertThat(features).isEqualTo(emitted);
            if (explanation.rules().stream().allMatch(rule -> rule.doubts().isEmpty())) {
                judged++;
                assertThat(explanation.score()).isEqualTo(event.score());
                assertThat(explanation.decision()).isEqualTo(event.decision());
            }
        }
        assertThat(judged).isPositive();
    }

    /** A number as JSON writers may write it differently. */
    private static Object plain(Object value) {
        return value instanceof Number
                ? new BigDecimal(value.toString()).stripTrailingZeros().toPlainString()
                : value;
    }

    private static Explanation decoded(Explanation explanation) {
        return Json.decode(Json.encode(explanation), Explanation.class);
    }

    @Test
    void shouldAnswerWhileItScores() throws InterruptedException {
        deployment.activate(TestPolicy.text(1, 700));
        deployment.send(traffic.next(100));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            List<ScoredEvent> known = scored();
            AtomicBoolean done = new AtomicBoolean();
            List<RuntimeException> failures = new ArrayList<>();
            Thread asking = new Thread(() -> {
                try {
                    for (int i = 0; !done.get(); i++) {
                        ScoredEvent event = known.get(i % known.size());
                        engine.explain(event.account(), event.eventId(), event.source());
                    }
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            });
            asking.start();
            for (int i = 0; i < 10; i++) {
                deployment.send(traffic.next(100));
            }
            deployment.awaitScored(engine);
            done.set(true);
            asking.join(30_000);
            assertThat(failures).isEmpty();
        }
        deployment.assertExact();
    }

    @Test
    void shouldTellThatALongerWindowBeginsWithAPartialPast() {
        deployment.activate(TestPolicy.text(1, 700));
        deployment.send(traffic.next(500));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            long before = latest(engine);
            deployment.activate(TestPolicy.text(2, 700).replace("over: 1h", "over: 180d"));
            deployment.awaitScored(engine);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> latest(engine) > before + Duration.ofDays(100).toMillis() * 1_000);
        }
    }

    private static long latest(ScoringEngine engine) {
        Map<String, Long> since = engine.status().completeSinceUs();
        return since == null
                ? Long.MIN_VALUE
                : since.values().stream().max(Long::compare).orElseThrow();
    }
}
