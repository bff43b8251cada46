package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.kafka.PolicyPublisher.Versions;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.PolicyActivation;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.PolicyLimits;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestBroker.class)
class PolicyPublisherIT {
    @Test
    void shouldWriteThePolicyToEveryPartitionAndFindTheLastOne(EmbeddedKafka broker) {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            PolicyPublisher publisher = new PolicyPublisher(deployment.kafka());
            assertThat(publisher.active()).isEmpty();
            deployment.activate(TestPolicy.text(1, 600));
            deployment.send(new TestTraffic(7).next(100));
            deployment.activate(TestPolicy.text(2, 300));
            assertThat(publisher.active()).contains(TestPolicy.text(2, 300));
            for (int partition = 0; partition < Deployment.PARTITIONS; partition++) {
                int inPartition = partition;
                assertThat(deployment.log().stream()
                                .filter(record -> record.partition() == inPartition)
                                .filter(record -> Output.of(record).headers().contains("ce_type=" + EventTypes.POLICY)))
                        .hasSize(2);
            }
        }
    }

    @Test
    void shouldPassOverAnActivationWithoutAText(EmbeddedKafka broker) {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            byte[] noText = "{}".getBytes(StandardCharsets.UTF_8);
            deployment.send(EventRecords.control(
                    deployment.kafka().topics().events(),
                    0,
                    new EventEnvelope("no-text", "test", EventTypes.POLICY, 2, "", false, noText)));
            deployment.flush();
            assertThat(new PolicyPublisher(deployment.kafka()).active()).contains(TestPolicy.text(1, 600));
        }
    }

    @Test
    void shouldApplyATextOnceAndLowerVersionsOnlyWhenMeant(EmbeddedKafka broker) {
        PolicyPublisher publisher =
                new PolicyPublisher(Deployment.config(broker.bootstrapServers(), "apply-" + UUID.randomUUID(), 2));
        assertThat(publisher.active()).as("before there are topics").isEmpty();
        assertThat(apply(publisher, TestPolicy.text(1, 600), Versions.HIGHER)).isPresent();
        assertThat(apply(publisher, TestPolicy.text(1, 600), Versions.HIGHER)).isEmpty();
        assertThat(apply(publisher, TestPolicy.text(2, 300), Versions.HIGHER)).isPresent();
        assertThatThrownBy(() -> apply(publisher, TestPolicy.text(1, 600), Versions.HIGHER))
                .isInstanceOf(PolicyRefusedException.class);
        assertThatThrownBy(() -> apply(publisher, TestPolicy.text(2, 301), Versions.ANY))
                .isInstanceOf(PolicyRefusedException.class);
        assertThat(publisher.active()).contains(TestPolicy.text(2, 300));
        assertThat(apply(publisher, TestPolicy.text(1, 600), Versions.ANY)).isPresent();
        assertThat(publisher.active()).contains(TestPolicy.text(1, 600));
    }

    @Test
    void shouldActivateAPolicyOfTheLargestSizeThatIsAllowed(EmbeddedKafka broker) {
        PolicyPublisher publisher =
                new PolicyPublisher(Deployment.config(broker.bootstrapServers(), "large-" + UUID.randomUUID(), 2));
        String text = TestPolicy.text(1, 600) + "\n# ";
        String large = text + "\"".repeat(PolicyLimits.TEXT_BYTES - text.length());
        assertThat(apply(publisher, large, Versions.HIGHER)).isPresent();
        assertThat(publisher.active()).contains(large);
    }

    @Test
    void shouldKnowTheActivePolicyWhenTheLogHasForgottenItsActivation(EmbeddedKafka broker) throws Exception {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            deployment.activate(TestPolicy.text(2, 300));
            deployment.send(new TestTraffic(7).next(100));
            forget(deployment, 10);
            PolicyPublisher publisher = new PolicyPublisher(deployment.kafka());
            assertThat(publisher.active()).contains(TestPolicy.text(2, 300));
            assertThatThrownBy(() -> apply(publisher, TestPolicy.text(1, 601), Versions.ANY))
                    .as("version 1 was another text, long ago")
                    .isInstanceOf(PolicyRefusedException.class);
            assertThat(publisher.inForce(deployment.topicId(), 1, 1))
                    .extracting(Policy::version)
                    .isEqualTo(1);
            assertThat(publisher.inForce(deployment.topicId(), 1, 0)).isNull();
        }
    }

    @Test
    void shouldFindTheActivationsOfALogThatIsOlderThanTheRegister(EmbeddedKafka broker) throws Exception {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            deployment.activate(TestPolicy.text(2, 300));
            deployment
                    .admin()
                    .deleteTopics(List.of(deployment.kafka().topics().policies()))
                    .all()
                    .get();
            PolicyPublisher publisher = new PolicyPublisher(deployment.kafka());
            assertThat(apply(publisher, TestPolicy.text(2, 300), Versions.HIGHER))
                    .as("active already")
                    .isEmpty();
            forget(deployment, 2);
            assertThat(publisher.active()).as("registered meanwhile").contains(TestPolicy.text(2, 300));
        }
    }

    @Test
    void shouldTakeAnActivationThatReachedTheLogAndPassOverOneThatDidNot(EmbeddedKafka broker) throws Exception {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            Policy second = Policies.check("test.yaml", TestPolicy.text(2, 300));
            Policy third = Policies.check("test.yaml", TestPolicy.text(3, 400));
            begin(deployment, second);
            deployment.send(EventRecords.control(
                    deployment.kafka().topics().events(), PolicyActivation.SPEAKER, Policies.activation(second, 2)));
            deployment.flush();
            begin(deployment, third);
            PolicyPublisher publisher = new PolicyPublisher(deployment.kafka());
            assertThat(publisher.active()).contains(second.text());
            assertThat(new PolicyRegister(deployment.kafka()).read(deployment.topicId()))
                    .as("settled")
                    .noneMatch(PolicyActivation::begun)
                    .hasSize(2);
        }
    }

    @Test
    void shouldKnowNothingOfALogThatWasDeletedAndCreatedAgain(EmbeddedKafka broker) throws Exception {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            deployment
                    .admin()
                    .deleteTopics(List.of(deployment.kafka().topics().events()))
                    .all()
                    .get();
            deployment.topicId();
            assertThat(new PolicyPublisher(deployment.kafka()).active()).isEmpty();
        }
    }

    /** As a process leaves it that ended before anything was in the log. */
    private static void begin(Deployment deployment, Policy policy) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(deployment.kafka(), "test", Map.of())) {
            PolicyRegister.put(
                    producer,
                    deployment.kafka(),
                    PolicyActivation.begin(
                            deployment.topicId(), Policies.activation(policy, 2).id(), 0, policy.text()));
        }
    }

    private static void forget(Deployment deployment, long before) throws Exception {
        TopicPartition speaker = new TopicPartition(deployment.kafka().topics().events(), PolicyActivation.SPEAKER);
        deployment
                .admin()
                .deleteRecords(Map.of(speaker, RecordsToDelete.beforeOffset(before)))
                .all()
                .get();
    }

    private static Optional<Map<Integer, Long>> apply(PolicyPublisher publisher, String text, Versions allowed) {
        return publisher.apply(Policies.check("test.yaml", text), 1, allowed);
    }
}
