package dev.vigil.dashboard.http;

import static dev.vigil.dashboard.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LiveStreamTest {
    private PageHarness harness;
    private final List<Client> clients = new ArrayList<>();

    @BeforeEach
    void start() {
        harness = PageHarness.started();
    }

    @AfterEach
    void stop() {
        clients.forEach(Client::close);
        harness.close();
    }

    private Client connect(int receiveBufferBytes) {
        Client client = new Client(harness.server.port(), receiveBufferBytes);
        clients.add(client);
        return client;
    }

    @Test
    void shouldSendSnapshotsAlertsAndDeliveriesAsTheyCome() {
        Client client = connect(0);
        await().until(() -> harness.server.liveClients() == 1);
        harness.tick(100);
        assertThat(client.next("snapshot")).contains("\"partitions\"");
        Alert alert = harness.raise();
        assertThat(client.next("alert")).contains(alert.alertId());
        harness.deliver(alert, Delivery.Outcome.DELIVERED, 1);
        assertThat(client.next("delivery")).contains("\"state\":\"delivered\"");
    }

    // Field case F09.
    @Test
    void shouldForgetClientsThatWentAway() {
        for (int i = 0; i < 40; i++) {
            connect(0);
        }
        await().until(() -> harness.server.liveClients() == 40);
        clients.forEach(Client::close);
        await().until(() -> {
            harness.tick(1);
            return harness.server.liveClients() == 0;
        });
    }

    // Field case F09: one client that never reads.
    @Test
    void shouldServeOthersWhileOneClientNeverReadsAndThenLetThatOneGo() {
        connect(1_024);
        Client reader = connect(0);
        await().until(() -> harness.server.liveClients() == 2);
        for (int i = 0; i < 400; i++) {
            Alert alert = harness.raise();
            assertThat(reader.next("alert")).contains(alert.alertId());
        }
        // Each tick is a second of the server's clock.
        await().until(() -> {
            harness.tick(1);
            reader.next("snapshot");
            return harness.server.liveClients() == 1;
        });
        Alert last = harness.raise();
        assertThat(reader.next("alert")).contains(last.alertId());
    }

    @Test
    void shouldRefuseMoreClientsThanAllowedAndTakeOthersAfterwards() {
        for (int i = 0; i < 50; i++) {
            connect(0);
        }
        await().until(() -> harness.server.liveClients() == 50);
        var refused = new ApiClient(harness.url()).get("/api/v1/live");
        assertThat(refused.status()).isEqualTo(503);
        clients.get(0).close();
        await().until(() -> {
            harness.tick(1);
            return harness.server.liveClients() == 49;
        });
        Client late = connect(0);
        await().until(() -> harness.server.liveClients() == 50);
        harness.tick(1);
        assertThat(late.next("snapshot")).isNotEmpty();
    }

    @Test
    void shouldEndEveryStreamWhenItStops() {
        Client client = connect(0);
        await().until(() -> harness.server.liveClients() == 1);
        harness.close();
        assertThat(client.isAtEnd()).isTrue();
        assertThat(harness.server.liveClients()).isZero();
    }

    private static final class Client {
        private final Socket socket = new Socket();
        private final BufferedReader reader;

        Client(int port, int receiveBufferBytes) {
            try {
                if (receiveBufferBytes > 0) {
                    socket.setReceiveBufferSize(receiveBufferBytes);
                }
                socket.connect(new InetSocketAddress("127.0.0.1", port));
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write("GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Data of the next event of that name; others before it are passed over. */
        String next(String event) {
            try {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    if (line.equals("event: " + event)) {
                        return reader.readLine();
                    }
                }
                throw new AssertionError("the stream ended before " + event);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean isAtEnd() {
            try {
                while (reader.readLine() != null) {
                    // What was under way.
                }
                return true;
            } catch (IOException e) {
                return !(e instanceof java.net.SocketTimeoutException);
            }
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
