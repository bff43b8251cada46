package dev.vigil.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.BrokerCheck.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BrokerCheckTest {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration ETERNITY = Duration.ofDays(1);

    @Test
    void shouldSayThatNothingListens() throws IOException {
        KafkaConfig config;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            config = KafkaConfig.local("127.0.0.1:" + socket.getLocalPort());
        }
        assertThat(BrokerCheck.ask(config, PATIENCE, ETERNITY)).isEqualTo(Outcome.NOTHING_LISTENS);
        assertThat(BrokerCheck.ask(KafkaConfig.local("no-such-host.invalid:9092"), PATIENCE, ETERNITY))
                .isEqualTo(Outcome.NOTHING_LISTENS);
    }

    @Test
    void shouldSayThatWhoeverListensDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            KafkaConfig config = KafkaConfig.local("127.0.0.1:" + silent.getLocalPort());
            assertThat(BrokerCheck.ask(config, ETERNITY, PATIENCE)).isEqualTo(Outcome.SILENT);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAnAddressThatIsNone() {
        assertThatThrownBy(() -> BrokerCheck.ask(KafkaConfig.local("localhost"), PATIENCE, PATIENCE))
                .isInstanceOf(ServiceException.class)
                .hasMessageStartingWith("Kafka at localhost: ");
    }
}
