package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.EndpointTls;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a receiver with TLS whose certificate, and what it asks of clients, a test chooses. */
final class TlsTest {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final HeldCertificate CA = new HeldCertificate.Builder()
            .commonName("test CA")
            .certificateAuthority(1)
            .build();
    private static final HeldCertificate INTERMEDIATE = new HeldCertificate.Builder()
            .commonName("test intermediate")
            .certificateAuthority(0)
            .signedBy(CA)
            .build();

    @TempDir
    private Path directory;

    private final Queue<String> clients = new ConcurrentLinkedQueue<>();
    private HttpsServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    @Test
    void shouldRefuseACertificateThatNobodyVouchesFor() throws Exception {
        serve(localhost().build(), false);

        assertThat(send(EndpointTls.USUAL).problem()).startsWith("TLS: ").contains("certification path");
        assertThat(clients).isEmpty();
    }

    @Test
    void shouldTakeACertificateOfTheAuthorityThatTheEndpointNames() throws Exception {
        serve(localhost().signedBy(CA).build(), false);

        assertThat(send(trusting(CA)).statusCode()).isEqualTo(204);
    }

    @Test
    void shouldRefuseAnAuthorityThatTheEndpointDoesNotName() throws Exception {
        serve(localhost().signedBy(CA).build(), false);
        HeldCertificate another =
                new HeldCertificate.Builder().certificateAuthority(0).build();

        assertThat(send(trusting(another)).problem()).startsWith("TLS: ");
        assertThat(clients).isEmpty();
    }

    @Test
    void shouldRefuseACertificateThatHasExpired() throws Exception {
        long dayMs = TimeUnit.DAYS.toMillis(1);
        long nowMs = System.currentTimeMillis();
        serve(
                localhost()
                        .signedBy(CA)
                        .validityInterval(nowMs - 2 * dayMs, nowMs - dayMs)
                        .build(),
                false);

        assertThat(send(trusting(CA)).problem()).startsWith("TLS: ");
        assertThat(clients).isEmpty();
    }

    @Test
    void shouldRefuseACertificateOfAnotherHost() throws Exception {
        serve(
                new HeldCertificate.Builder()
                        .addSubjectAlternativeName("other.example")
                        .signedBy(CA)
                        .build(),
                false);

        assertThat(send(trusting(CA)).problem()).startsWith("TLS: ").contains("127.0.0.1");
        assertThat(clients).isEmpty();
    }

    @Test
    void shouldShowItsCertificateWithTheIssuersAfterIt() throws Exception {
        serve(localhost().signedBy(CA).build(), true);
        HeldCertificate client = new HeldCertificate.Builder()
                .commonName("vigil")
                .signedBy(INTERMEDIATE)
                .build();
        EndpointTls tls = new EndpointTls(
                file("client.crt", client.certificatePem() + INTERMEDIATE.certificatePem()),
                file("client.key", client.privateKeyPkcs8Pem()),
                file("ca.crt", CA.certificatePem()));

        assertThat(send(tls).statusCode()).isEqualTo(204);
        assertThat(clients).containsExactly("CN=vigil");
    }

    @Test
    void shouldFailWhereTheReceiverAsksForACertificateAndThereIsNone() throws Exception {
        serve(localhost().signedBy(CA).build(), true);

        Answer answer = send(trusting(CA));

        assertThat(answer.statusCode()).isNull();
        assertThat(answer.problem()).isNotBlank();
        assertThat(clients).isEmpty();
    }

    @Test
    void shouldNameTheFileThatIsNotWhatItIsNamedForAndNotWhatItHolds() throws Exception {
        HeldCertificate client = new HeldCertificate.Builder().build();
        Path certificate = file("client.crt", client.certificatePem());
        Path key = file("client.key", "-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----\n");

        assertThatThrownBy(() -> transport("https://127.0.0.1:1", new EndpointTls(certificate, key, null)))
                .isInstanceOf(ServiceException.class)
                .hasMessage("endpoint desk: tls.key " + key
                        + ": expected the certificate's key in PEM, PKCS#8 and not encrypted")
                .message()
                .doesNotContain("hush");
        assertThatThrownBy(() -> transport("https://127.0.0.1:1", new EndpointTls(null, null, key)))
                .hasMessage("endpoint desk: tls.ca " + key + ": expected certificates in PEM");
    }

    private static HeldCertificate.Builder localhost() {
        return new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1");
    }

    private EndpointTls trusting(HeldCertificate authority) throws IOException {
        return new EndpointTls(null, null, file("ca.crt", authority.certificatePem()));
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private void serve(HeldCertificate certificate, boolean asksForCertificate) throws IOException {
        SSLContext context = new HandshakeCertificates.Builder()
                .heldCertificate(certificate)
                .addTrustedCertificate(CA.certificate())
                .build()
                .sslContext();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters tls = context.getDefaultSSLParameters();
                tls.setNeedClientAuth(asksForCertificate);
                parameters.setSSLParameters(tls);
            }
        });
        server.createContext("/", exchange -> {
            clients.add(client((HttpsExchange) exchange));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    private static String client(HttpsExchange exchange) {
        try {
            return exchange.getSSLSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return "nobody";
        }
    }

    private Answer send(EndpointTls tls) throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        try (HttpTransport transport =
                transport("https://127.0.0.1:" + server.getAddress().getPort() + "/hook", tls)) {
            AlertMessage message =
                    new AlertMessage(TestAlerts.at(1).alert(), 1, false, "{}".getBytes(StandardCharsets.UTF_8));
            transport.send("desk", message, answer::complete);
            return answer.get(90, TimeUnit.SECONDS);
        }
    }

    private static HttpTransport transport(String url, EndpointTls tls) {
        EndpointConfig endpoint = EndpointConfig.ofPrivate("desk", url, SECRET).withTls(tls);
        return new HttpTransport(List.of(endpoint), () -> 0);
    }
}
