package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.WebhookVectors;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class WebhookSignerTest {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final WebhookSecret OTHER = new WebhookSecret("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");

    @Test
    void shouldSignAsTheSpecificationsExample() {
        assertThat(new WebhookSigner(List.of(SECRET))
                        .sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330L, "{\"test\": 2432232314}"))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void shouldGiveOneSignatureForEachSecretDuringARotation() {
        String both = new WebhookSigner(List.of(SECRET, OTHER)).sign("id", 1L, "body");

        assertThat(both.split(" "))
                .containsExactly(
                        new WebhookSigner(List.of(SECRET)).sign("id", 1L, "body"),
                        new WebhookSigner(List.of(OTHER)).sign("id", 1L, "body"));
    }

    @TestFactory
    Stream<DynamicTest> shouldSignAsPublished() {
        JsonNode vectors = WebhookVectors.load();
        return StreamSupport.stream(vectors.get("sign").spliterator(), false)
                .map(vector -> DynamicTest.dynamicTest(vector.get("id").asText(), () -> {
                    WebhookSecret secret =
                            new WebhookSecret(vector.get("secret").asText());
                    String signature = new WebhookSigner(List.of(secret))
                            .sign(
                                    vector.get("id").asText(),
                                    vector.get("timestamp").asLong(),
                                    vector.get("payload").asText());
                    assertThat(signature).isEqualTo(vector.get("signature").asText());
                }));
    }
}
