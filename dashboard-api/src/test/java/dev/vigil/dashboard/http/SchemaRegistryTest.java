package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.dashboard.intake.RegistryConfig;
import dev.vigil.dashboard.intake.RegistryUnavailableException;
import dev.vigil.dashboard.intake.UnreadableValueException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaRegistryTest {
    private final FakeRegistry server = new FakeRegistry();

    private static SchemaRegistry registry(String url, String user) {
        return new SchemaRegistry(
                new RegistryConfig(URI.create(url), user, user == null ? null : "secret", Duration.ofSeconds(2), 10));
    }

    private SchemaRegistry registry() {
        return registry(server.url(), null);
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void shouldTellASchemaAndBeforeItWhatItRefersTo() {
        server.schema(1, "\"int\"");
        assertThat(registry().schema(1)).containsExactly("\"int\"");
        server.answer(
                        "/schemas/ids/2",
                        Map.of(
                                "schema",
                                "outer",
                                "references",
                                List.of(
                                        Map.of("name", "x.inner", "subject", "x inner/1", "version", 3),
                                        Map.of("name", "x.other", "subject", "other", "version", 1))))
                .answer(
                        "/subjects/x%20inner%2F1/versions/3",
                        Map.of(
                                "schema",
                                "inner",
                                "references",
                                List.of(Map.of("name", "x.other", "subject", "other", "version", 1))))
                .answer("/subjects/other/versions/1", Map.of("schema", "other"));
        assertThat(registry().schema(2)).containsExactly("other", "inner", "outer");
    }

    @Test
    void shouldRefuseWhatIsNotInTheRegistryOrIsNoAvro() {
        assertThatThrownBy(() -> registry().schema(7))
                .isInstanceOf(UnreadableValueException.class)
                .hasMessage("schema 7 is not in the schema registry");
        server.answer("/schemas/ids/8", Map.of("schema", "syntax", "schemaType", "PROTOBUF"));
        assertThatThrownBy(() -> registry().schema(8))
                .isInstanceOf(UnreadableValueException.class)
                .hasMessage("schema 8 is of type PROTOBUF; only AVRO is read");
    }

    /** Field case B02: what may pass must not become a dead letter. */
    @ParameterizedTest
    @ValueSource(ints = {301, 401, 403, 404, 429, 500, 503})
    void shouldNotTakeAnotherAnswerForAnUnknownSchema(int status) {
        server.breakWith(status);
        assertThatThrownBy(() -> registry().schema(1))
                .isInstanceOf(RegistryUnavailableException.class)
                .hasMessage("the schema registry at " + server.url() + " answers " + status + " for schema 1");
    }

    @Test
    void shouldNotTakeAnAnswerOfSomebodyElseForASchema() {
        server.answer("/schemas/ids/1", List.of("hello"));
        assertThatThrownBy(() -> registry().schema(1))
                .isInstanceOf(RegistryUnavailableException.class)
                .hasMessageContaining("is this the address of a schema registry?");
    }

    @Test
    void shouldSayWhoItIsAndKeepThatOutOfComplaints() {
        server.schema(1, "\"int\"");
        registry(server.url(), "vigil").schema(1);
        assertThat(server.authorizations()).containsExactly("Basic dmlnaWw6c2VjcmV0");
        server.breakWith(401);
        assertThatThrownBy(() -> registry(server.url(), "vigil").schema(1)).hasMessageNotContaining("secret");
    }

    @Test
    void shouldGiveUpOnARegistryThatIsAwayOrSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + silent.getLocalPort();
            assertThatThrownBy(() -> registry(url, null).schema(1))
                    .isInstanceOf(RegistryUnavailableException.class)
                    .hasMessageContaining("the schema registry at " + url + " does not answer");
        }
        server.close();
        assertThatThrownBy(() -> registry().schema(1)).isInstanceOf(RegistryUnavailableException.class);
    }
}
