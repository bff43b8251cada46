package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CardFraudPolicyTest {
    @Test
    void shouldBeReadWithoutComplaint() throws IOException {
        Path file = Path.of(System.getProperty("vigil.repository"), "policies/card-fraud.yaml");
        Policy policy = PolicyReader.read(file.getFileName().toString(), Files.readString(file));
        assertThat(policy.events()).extracting("type").containsExactly("transaction", LoginEvents.TYPE);
        assertThat(policy.rules()).isNotEmpty();
    }
}
