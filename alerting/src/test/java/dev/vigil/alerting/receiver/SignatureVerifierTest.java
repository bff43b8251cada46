package dev.vigil.alerting.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.standardwebhooks.Webhook;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.WebhookVectors;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SignatureVerifierTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String BODY = "{\"test\": 2432232314}";
    private static final long SENT_AT_SECONDS = 1_614_265_330L;
    private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    private final SignatureVerifier verifier = new SignatureVerifier(new WebhookSecret(SECRET));

    @ParameterizedTest
    @CsvSource({"0, true", "299, true", "-299, true", "301, false", "-301, false", "86400, false"})
    void shouldAcceptWithinFiveMinutesEitherWay(long secondsLater, boolean genuine) {
        assertThat(problem(SIGNATURE, BODY, SENT_AT_SECONDS + secondsLater).isEmpty())
                .isEqualTo(genuine);
    }

    @Test
    void shouldRejectAChangedBodyAndASignatureOfAnotherKindOrNone() {
        assertThat(problem(SIGNATURE, "{\"test\": 2432232315}", SENT_AT_SECONDS))
                .isPresent();
        assertThat(problem(SIGNATURE.replace("v1", "v2"), BODY, SENT_AT_SECONDS))
                .isPresent();
        assertThat(problem("v1,", BODY, SENT_AT_SECONDS)).isPresent();
        assertThat(problem("", BODY, SENT_AT_SECONDS)).isPresent();
        assertThat(problem(null, BODY, SENT_AT_SECONDS)).isPresent();
        assertThat(problem("v1,AAAA " + SIGNATURE, BODY, SENT_AT_SECONDS)).isEmpty();
    }

    @Test
    void shouldAgreeWithTheOfficialLibrary() throws Exception {
        String signature = new Webhook(SECRET).sign("msg_1", SENT_AT_SECONDS, "ünïcode €");
        byte[] body = "ünïcode €".getBytes(StandardCharsets.UTF_8);

        assertThat(verifier.problem("msg_1", "" + SENT_AT_SECONDS, signature, body, SENT_AT_SECONDS * 1_000))
                .isEmpty();
    }

    @Test
    void shouldJudgeAsPublished() {
        JsonNode vectors = WebhookVectors.load();
        JsonNode defaults = vectors.get("verify_defaults");
        for (JsonNode vector : vectors.get("verify")) {
            JsonNode payload = vector.has("payload") ? vector.get("payload") : defaults.get("payload");
            Optional<String> problem = verifier.problem(
                    header(vector, "webhook-id"),
                    header(vector, "webhook-timestamp"),
                    header(vector, "webhook-signature"),
                    payload.asText().getBytes(StandardCharsets.UTF_8),
                    vector.get("now").asLong() * 1_000);
            String name = vector.get("name").asText();
            assertThat(problem.isEmpty()).as(name).isEqualTo(vector.get("valid").asBoolean());
        }
        assertThat(defaults.get("secret").asText()).isEqualTo(SECRET);
    }

    @Test
    void shouldTakeNoneOfThePublishedInvalidSecrets() {
        for (JsonNode secret : WebhookVectors.load().get("invalid_secrets")) {
            assertThatThrownBy(() -> new WebhookSecret(secret.asText())).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static @Nullable String header(JsonNode vector, String name) {
        JsonNode value = vector.get("headers").get(name);
        return value == null ? null : value.asText();
    }

    private Optional<String> problem(@Nullable String signatures, String body, long nowSeconds) {
        return verifier.problem(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                Long.toString(SENT_AT_SECONDS),
                signatures,
                body.getBytes(StandardCharsets.UTF_8),
                nowSeconds * 1_000);
    }
}
