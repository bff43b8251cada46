package dev.vigil.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BrokerCheckTest {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    @Test
    void shouldGiveUpWhereNothingListens() throws IOException {
        KafkaConfig config;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            config = KafkaConfig.local("127.0.0.1:" + socket.getLocalPort());
        }
        assertThat(BrokerCheck.answers(config, PATIENCE)).isFalse();
    }

    @Test
    void shouldGiveUpWhereWhoeverListensDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            KafkaConfig config = KafkaConfig.local("127.0.0.1:" + silent.getLocalPort());
            assertThat(BrokerCheck.answers(config, PATIENCE)).isFalse();
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAnAddressThatIsNone() {
        assertThatThrownBy(() -> BrokerCheck.answers(KafkaConfig.local("localhost"), PATIENCE))
                .isInstanceOf(ServiceException.class)
                .hasMessageStartingWith("Kafka at localhost: ");
    }
}
