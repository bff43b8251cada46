package dev.vigil.dashboard.kafka;

import static dev.vigil.dashboard.Patience.await;
import static dev.vigil.dashboard.kafka.IntakeHarness.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong around the Kafka intake: the broker, the log, the group, the process. */
final class KafkaIntakeOutageIT {
    @TempDir
    Path directory;

    private static List<String> members(KafkaConfig kafka) throws Exception {
        try (Admin admin = KafkaClients.admin(kafka, "test")) {
            return admin.describeConsumerGroups(List.of(KafkaIntake.group(kafka))).all().get().values().stream()
                    .flatMap(group -> group.members().stream())
                    .map(member -> member.consumerId())
                    .toList();
        }
    }

    @Test
    void shouldKeepItsPlaceInTheGroupWhileItWaits() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory);
                IntakeHarness at = new IntakeHarness(broker.bootstrapServers(), "group")) {
            ActivePolicy policy = new ActivePolicy(FakePolicies.none());
            policy.readToEnd();
            at.sendLogin(0, "e1", "acc-1");
            Duration patience = Duration.ofSeconds(3);
            try (KafkaIntake intake =
                    at.intake("{}", policy, Map.of("max.poll.interval.ms", (int) patience.toMillis()))) {
                await().until(() -> intake.status().partitions() == 2);
                List<String> before = members(at.kafka);
                // Longer than a consumer may go without a poll: one that did would come back as another member.
                Thread.sleep(3 * patience.toMillis());
                assertThat(members(at.kafka)).isEqualTo(before).hasSize(1);
                policy.activated(IntakeHarness.POLICY);
                await().until(() -> intake.status().accepted() == 1);
                assertThat(members(at.kafka)).isEqualTo(before);
            }
        }
    }

    /** Field cases B02 and B17. */
    @Test
    void shouldWaitForALogThatTakesNothingAndThenGoOnInOrder() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory);
                IntakeHarness at = new IntakeHarness(broker.bootstrapServers(), "log")) {
            for (int i = 0; i < 20; i++) {
                at.sendLogin(0, "e" + i, "acc-1");
            }
            try (Admin admin = KafkaClients.admin(at.kafka, "test")) {
                admin.deleteTopics(List.of(at.kafka.topics().events())).all().get();
            }
            try (KafkaIntake intake = at.intake()) {
                await().until(() -> intake.status().problem() != null
                        && intake.status().problem().contains("the broker takes nothing"));
                assertThat(intake.status().accepted()).isZero();
                assertThat(at.committed().values())
                        .extracting(OffsetAndMetadata::offset)
                        .allMatch(offset -> offset == 0);
                KafkaTopics.ensure(at.kafka);
                await().until(() -> intake.status().accepted() >= 20);
                await().until(() -> intake.status().problem() == null);
            }
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                expected.add("e" + i);
            }
            assertThat(ids(at.log()).stream().distinct().toList()).isEqualTo(expected);
            assertThat(at.letters()).isEmpty();
        }
    }

    /** Field case B22. */
    @Test
    void shouldLoseNothingWhenTheBrokerGoesAndComesBack() throws Exception {
        EmbeddedKafka first = EmbeddedKafka.start(directory);
        try (IntakeHarness at = new IntakeHarness(first.bootstrapServers(), "broker");
                KafkaIntake intake = at.intake()) {
            IntakeTraffic traffic = new IntakeTraffic(at);
            await().until(() -> intake.status().accepted() > 100);
            first.close();
            try (EmbeddedKafka second = EmbeddedKafka.start(directory)) {
                assertThat(second.bootstrapServers()).isEqualTo(at.kafka.bootstrapServers());
                long before = intake.status().accepted();
                await().until(() -> intake.status().accepted() > before + 100);
                traffic.stop();
                await().until(() -> traffic.inLog() == traffic.sentCount());
                await().until(() -> intake.status().problem() == null);
                traffic.check();
            }
        }
    }

    /** Field case B18: the leader that comes back has less than what was read, and takes other records in its place. */
    @Test
    void shouldReadAgainFromWhereTheLogWasCut() throws Exception {
        EmbeddedKafka whole = EmbeddedKafka.start(directory);
        TopicPartition partition;
        try (IntakeHarness at = new IntakeHarness(whole.bootstrapServers(), "cut")) {
            partition = new TopicPartition(at.kafka.topics().intake(), 0);
            for (int i = 0; i < 10; i++) {
                at.sendLogin(0, "old-" + i, "acc-1");
            }
            try (KafkaIntake intake = at.intake()) {
                await().until(() -> intake.status().accepted() == 10);
            }
            assertThat(at.committed().get(partition).offset()).isEqualTo(10);
        } finally {
            whole.close();
        }
        LogCut.cut(directory, partition, 8);
        try (EmbeddedKafka cut = EmbeddedKafka.start(directory);
                IntakeHarness at = new IntakeHarness(cut.bootstrapServers(), "cut")) {
            for (int i = 0; i < 5; i++) {
                assertThat(at.sendLogin(0, "new-" + i, "acc-1").offset()).isEqualTo(8 + i);
            }
            try (KafkaIntake intake = at.intake()) {
                await().until(() -> intake.status().accepted() == 5);
                assertThat(intake.status().missed()).isZero();
            }
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                expected.add(i < 10 ? "old-" + i : "new-" + (i - 10));
            }
            assertThat(ids(at.log())).isEqualTo(expected);
        }
    }

    @Test
    void shouldLoseNothingWhenPartitionsGoFromOneProcessToAnother() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory);
                IntakeHarness at = new IntakeHarness(broker.bootstrapServers(), "rebalance");
                KafkaIntake first = at.intake()) {
            IntakeTraffic traffic = new IntakeTraffic(at);
            await().until(() -> first.status().accepted() > 100);
            try (KafkaIntake second = at.intake()) {
                await().until(() -> first.status().partitions() == 1
                        && second.status().partitions() == 1
                        && second.status().accepted() > 100);
                first.close();
                await().until(() -> second.status().partitions() == 2);
                long before = second.status().accepted();
                await().until(() -> second.status().accepted() > before + 100);
                traffic.stop();
                await().until(() -> traffic.inLog() == traffic.sentCount());
                assertThat(traffic.check())
                        .as("who hands over commits first, so that nothing is read twice")
                        .isZero();
            }
        }
    }

    @Test
    void shouldLoseAndInventNothingWhenItsProcessIsKilled() throws Exception {
        Random random = new Random(4);
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory);
                IntakeHarness at = new IntakeHarness(broker.bootstrapServers(), "kill")) {
            Path output = directory.resolve("intake.txt");
            IntakeTraffic traffic = new IntakeTraffic(at);
            for (int kill = 0; kill < 3; kill++) {
                long before = traffic.inLog();
                Process process = IntakeProcess.start(at, output);
                try {
                    int more = 200 + random.nextInt(500);
                    await().until(() -> traffic.inLog() > before + more);
                } finally {
                    process.destroyForcibly().waitFor();
                }
            }
            traffic.stop();
            Process last = IntakeProcess.start(at, output);
            try {
                await().until(() -> traffic.inLog() == traffic.sentCount());
                traffic.check();
            } finally {
                last.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void shouldSayThatItWaitsWhileTheGroupStillCountsAProcessThatWasKilled() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory);
                IntakeHarness at = new IntakeHarness(broker.bootstrapServers(), "waits")) {
            at.sendLogin(0, "before", "acc-1");
            Process killed = IntakeProcess.start(at, directory.resolve("intake.txt"));
            try {
                await().until(() -> !at.log().isEmpty());
            } finally {
                killed.destroyForcibly().waitFor();
            }
            at.sendLogin(0, "after", "acc-1");
            try (KafkaIntake intake = at.intake()) {
                await().until(() -> intake.status().problem() != null
                        && intake.status().problem().contains("has not yet said which partitions to read"));
                await().until(() -> ids(at.log()).contains("after"));
                await().until(() -> intake.status().problem() == null);
            }
        }
    }

    /** Field case B03. */
    @Test
    void shouldLoseAndInventNothingWhenAProcessWakesUpThatLostItsPartitions() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory);
                IntakeHarness at = new IntakeHarness(broker.bootstrapServers(), "zombie")) {
            Path output = directory.resolve("intake.txt");
            IntakeTraffic traffic = new IntakeTraffic(at);
            Process sleeper = IntakeProcess.start(at, output);
            Process other = null;
            try {
                await().until(() -> traffic.inLog() > 300);
                signal("STOP", sleeper);
                other = IntakeProcess.start(at, output);
                long before = traffic.inLog();
                await().until(() -> traffic.inLog() > before + 500);
                signal("CONT", sleeper);
                long after = traffic.inLog();
                await().until(() ->
                        traffic.inLog() > after + 500 && members(at.kafka).size() == 2);
                traffic.stop();
                await().until(() -> traffic.inLog() == traffic.sentCount());
                traffic.check();
            } finally {
                sleeper.destroyForcibly().waitFor();
                if (other != null) {
                    other.destroyForcibly().waitFor();
                }
            }
        }
    }

    private static void signal(String name, Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
