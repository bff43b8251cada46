package dev.vigil.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;

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
    }

    @Test
    void shouldSayThatNoHostIsKnown() {
        assertThat(BrokerCheck.ask(KafkaConfig.local("a.invalid:9092, b.invalid:9092"), PATIENCE, ETERNITY))
                .isEqualTo(Outcome.UNKNOWN_HOST);
    }

    @Test
    void shouldAskOnWhereOneHostOfSeveralIsKnown() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            KafkaConfig config = KafkaConfig.local("a.invalid:9092,127.0.0.1:" + silent.getLocalPort());
            assertThat(BrokerCheck.ask(config, ETERNITY, PATIENCE)).isEqualTo(Outcome.SILENT);
        }
    }

    @Test
    void shouldSayThatWhoeverListensDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            KafkaConfig config = KafkaConfig.local("127.0.0.1:" + silent.getLocalPort());
            assertThat(BrokerCheck.ask(config, ETERNITY, PATIENCE)).isEqualTo(Outcome.SILENT);
        }
    }
}
