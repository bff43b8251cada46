package dev.vigil.launcher;

import dev.vigil.launcher.ComposeFile.Service;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** The image and the settings of {@code docker-compose.yml}, but for addresses, which the test's container has its own. */
@EnabledIf(value = DockerEngine.CONDITION, disabledReason = DockerEngine.MISSING)
final class ContainerKafkaContractIT extends KafkaContract {
    private static final Pattern SETTING_OF_ITS_OWN =
            Pattern.compile(".*(LISTENER|CONTROLLER|CLUSTER_ID|NODE_ID|ROLES).*");

    private static KafkaContainer kafka;

    @BeforeAll
    static void start() {
        Service deployed = Objects.requireNonNull(ComposeFile.read().services().get("kafka"));
        kafka = new KafkaContainer(DockerImageName.parse(deployed.image()));
        deployed.environment().forEach((name, value) -> {
            if (!SETTING_OF_ITS_OWN.matcher(name).matches()) {
                kafka.withEnv(name, value);
            }
        });
        kafka.start();
    }

    @AfterAll
    static void stop() {
        kafka.stop();
    }

    @Override
    String bootstrapServers() {
        return kafka.getBootstrapServers();
    }
}
