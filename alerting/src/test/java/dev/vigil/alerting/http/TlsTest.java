package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.WebhookSecret;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path directory;

    @Test
    void shouldRefuseACertificateThatNobodyVouchesFor() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(selfSigned()));
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        String url = "https://127.0.0.1:" + server.getAddress().getPort() + "/hook";
        EndpointConfig endpoint =
                EndpointConfig.ofPrivate("desk", url, new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
        CompletableFuture<Answer> answer = new CompletableFuture<>();

        try (HttpTransport transport = new HttpTransport(List.of(endpoint), () -> 0)) {
            AlertMessage message = new AlertMessage("id", 1, "{}".getBytes(StandardCharsets.UTF_8));
            transport.send("desk", message, answer::complete);

            assertThat(answer.get(90, TimeUnit.SECONDS).problem())
                    .startsWith("TLS: ")
                    .contains("certification path");
            assertThat(requests).hasValue(0);
        } finally {
            server.stop(0);
        }
    }

    private SSLContext selfSigned() throws Exception {
        Path store = directory.resolve("server.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
