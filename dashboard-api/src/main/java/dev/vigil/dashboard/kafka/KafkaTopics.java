package dev.vigil.dashboard.kafka;

import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import org.apache.kafka.clients.admin.Admin;

/** The start-up check of the topics. */
public final class KafkaTopics {
    private KafkaTopics() {}

    /** @throws dev.vigil.service.ServiceException if the broker does not answer or its topics are not as configured */
    public static void ensure(KafkaConfig config) {
        try (Admin admin = KafkaClients.admin(config, "vigil-dashboard-setup")) {
            TopicSetup.ensure(admin, config);
        }
    }
}
