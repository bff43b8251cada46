package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.RecordKinds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A log, and in the output topics what an engine might have made of it. */
@ExtendWith(TestBroker.class)
class LogVerifierIT {
    private static final int STEP = 100;

    private Deployment deployment;
    private List<Output> due;

    @BeforeEach
    void fillLog(EmbeddedKafka broker) {
        deployment = Deployment.on(broker.bootstrapServers());
        deployment.activate(TestPolicy.updating(1, 700));
        deployment.send(new TestTraffic(11).next(2_000));
        due = deployment.offline().outputs();
    }

    @AfterEach
    void closeClients() {
        deployment.close();
    }

    private void write(List<Output> outputs) {
        for (Output output : outputs) {
            List<Header> headers = output.key() == null
                    ? List.of(new RecordHeader(RecordKinds.HEADER, bytes(RecordKinds.SCHEMA)))
                    : List.of();
            byte[] key = output.key() == null ? null : bytes(output.key());
            deployment.send(new ProducerRecord<>(
                    output.topic(), output.partition(), null, key, bytes(output.value()), headers));
        }
        deployment.flush();
    }

    private static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    private LogVerifier.Result verify() {
        return new LogVerifier(deployment.kafka(), 0, Long.MAX_VALUE, null).verify();
    }

    private long dueCount(Predicate<Output> which) {
        return due.stream().filter(which).count();
    }

    private static boolean isSummary(Output output) {
        return output.role().equals("summaries");
    }

    private static boolean isScore(Output output) {
        return output.role().equals("scored") && output.key() != null;
    }

    /** One that is alone at its position. */
    private int anySummary() {
        for (int i = due.size() / 2; i < due.size(); i++) {
            Output output = due.get(i);
            if (isSummary(output)
                    && dueCount(other -> isSummary(other)
                                    && other.partition() == output.partition()
                                    && other.source().offset()
                                            == output.source().offset())
                            == 1) {
                return i;
            }
        }
        throw new AssertionError("the traffic leads to no result of a window that is alone");
    }

    @Test
    void shouldCompareEveryScoreAndEveryResultOnceHoweverOftenItWasWritten() {
        for (int from = 0; from < due.size(); from += STEP) {
            List<Output> step = due.subList(from, Math.min(from + STEP, due.size()));
            write(step.subList(0, step.size() / 2)); // a crash in its midst
            write(step);
        }
        LogVerifier.Result result = verify();
        assertThat(result.mismatches()).as(result.firstMismatch()).isZero();
        assertThat(result.compared()).isEqualTo(dueCount(LogVerifierIT::isScore));
        assertThat(result.comparedSummaries()).isEqualTo(dueCount(LogVerifierIT::isSummary));
        assertThat(dueCount(Output::isCorrection)).isPositive();
    }

    @Test
    void shouldReportAResultThatDiffers() {
        int at = anySummary();
        Output sound = due.get(at);
        List<Output> written = new ArrayList<>(due);
        written.set(
                at,
                new Output(
                        sound.topic(),
                        sound.partition(),
                        sound.key(),
                        sound.value().replace("\"n\":", "\"n\":1"),
                        sound.headers()));
        write(written);
        LogVerifier.Result result = verify();
        assertThat(result.differing()).isEqualTo(1);
        assertThat(result.missing()).isZero();
        assertThat(result.firstMismatch())
                .startsWith("result hourly at ")
                .contains(":" + sound.source().offset() + ", index 0")
                .endsWith(" was written differently live");
    }

    @Test
    void shouldReportAResultThatIsMissing() {
        List<Output> written = new ArrayList<>(due);
        Output missing = written.remove(anySummary());
        write(written);
        LogVerifier.Result result = verify();
        assertThat(result.missing()).isEqualTo(1);
        assertThat(result.differing()).isZero();
        assertThat(result.comparedSummaries()).isEqualTo(dueCount(LogVerifierIT::isSummary) - 1);
        assertThat(result.firstMismatch())
                .contains(":" + missing.source().offset() + ", index 0")
                .endsWith(" was never written live");
    }

    @Test
    void shouldReportAScoreThatIsMissingAtTheEnd() {
        List<Output> written = new ArrayList<>(due);
        for (int i = written.size() - 1; ; i--) {
            if (written.get(i).partition() == 0 && isScore(written.get(i))) {
                written.remove(i);
                break;
            }
        }
        write(written);
        LogVerifier.Result result = verify();
        assertThat(result.missing()).isEqualTo(1);
        assertThat(result.differing()).isZero();
    }

    /** The last score of a partition, which repeats and inventions are made of. */
    private Output lastScore(int partition) {
        return due.stream()
                .filter(output -> output.partition() == partition && isScore(output))
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    private static Output changed(Output sound, String from, String to) {
        assertThat(sound.value()).contains(from);
        return new Output(
                sound.topic(), sound.partition(), sound.key(), sound.value().replaceFirst(from, to), sound.headers());
    }

    @Test
    void shouldReportARepeatThatDiffers() {
        write(due);
        Output last = lastScore(0);
        write(List.of(last, changed(last, "\"score\":", "\"score\":1")));

        LogVerifier.Result result = verify();

        assertThat(result.differing()).isEqualTo(1);
        assertThat(result.mismatches()).isEqualTo(1);
        assertThat(result.firstMismatch())
                .isEqualTo(
                        "score at partition 0, offset " + last.source().offset() + " was written again, differently");
    }

    /** The log begins with the policy's activation, which is never scored. */
    private Output scoreOfActivation(int partition) {
        Output last = lastScore(partition);
        return changed(last, "\"offset\":" + last.source().offset(), "\"offset\":0");
    }

    @Test
    void shouldReportAScoreThatTheLogDoesNotLeadTo() {
        List<Output> written = new ArrayList<>(due);
        written.add(0, scoreOfActivation(1));
        written.add(scoreOfActivation(0));
        write(written);

        LogVerifier.Result result = verify();

        assertThat(result.invented()).isEqualTo(2);
        assertThat(result.mismatches()).isEqualTo(2);
        assertThat(result.compared()).isEqualTo(dueCount(LogVerifierIT::isScore));
        assertThat(result.firstMismatch()).endsWith(" was written live, but the log leads to none");
    }
}
