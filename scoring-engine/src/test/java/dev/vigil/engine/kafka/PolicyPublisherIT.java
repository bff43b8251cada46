package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.kafka.PolicyPublisher.Versions;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.PolicyLimits;
import dev.vigil.service.kafka.EventRecords;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

    private static Optional<Map<Integer, Long>> apply(PolicyPublisher publisher, String text, Versions allowed) {
        return publisher.apply(Policies.check("test.yaml", text), 1, allowed);
    }
}
