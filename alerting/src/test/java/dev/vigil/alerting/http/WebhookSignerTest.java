package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.WebhookVectors;
import java.util.List;
import org.junit.jupiter.api.Test;

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

    @Test
    void shouldSignAsPublished() {
        for (JsonNode vector : WebhookVectors.load().get("sign")) {
            WebhookSecret secret = new WebhookSecret(vector.get("secret").asText());
            String id = vector.get("id").asText();
            String signature = new WebhookSigner(List.of(secret))
                    .sign(
                            id,
                            vector.get("timestamp").asLong(),
                            vector.get("payload").asText());
            assertThat(signature).as(id).isEqualTo(vector.get("signature").asText());
        }
    }
}
