package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.engine.kafka.PolicyPublisher.Versions;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import org.junit.jupiter.api.Test;

class ActivatedPoliciesTest {
    private final ActivatedPolicies activated = new ActivatedPolicies();

    @Test
    void shouldTakeAnyVersionFirstAndHigherOnesThen() {
        assertThat(activated.active()).isEmpty();
        assertThatCode(() -> activated.requireMayFollow(policy(7, 600), Versions.HIGHER))
                .doesNotThrowAnyException();
        activated.add(TestPolicy.text(7, 600));
        assertThat(activated.active()).contains(TestPolicy.text(7, 600));
        assertThatCode(() -> activated.requireMayFollow(policy(8, 600), Versions.HIGHER))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseALowerVersionByBothNamesUnlessARollBackIsMeant() {
        activated.add(TestPolicy.text(2, 600));
        activated.add(TestPolicy.text(3, 300));
        assertThatThrownBy(() -> activated.requireMayFollow(policy(2, 600), Versions.HIGHER))
                .hasMessage(
                        "version: expected more than 3, as engine-test version 3 is active, found engine-test version 2")
                .isInstanceOfSatisfying(
                        PolicyRefusedException.class,
                        e -> assertThat(e.isRollBack()).isTrue());
        assertThatCode(() -> activated.requireMayFollow(policy(2, 600), Versions.ANY))
                .doesNotThrowAnyException();
        assertThatCode(() -> activated.requireMayFollow(policy(1, 600), Versions.ANY))
                .as("never seen in the log")
                .doesNotThrowAnyException();
    }

    @Test
    void shouldStayInOneCurrencyAndPassOverAnActivationInAnother() {
        activated.add(TestPolicy.text(2, 600));
        String inYen = TestPolicy.text(9, 600).replace("currency: EUR", "currency: JPY");
        assertThatThrownBy(() -> activated.requireMayFollow(Policies.check("p.yaml", inYen), Versions.ANY))
                .hasMessage("currency: expected EUR as until now, since remembered amounts are in it, found JPY");
        activated.add(inYen);
        assertThat(activated.active()).contains(TestPolicy.text(2, 600));
        assertThatCode(() -> activated.requireMayFollow(policy(3, 600), Versions.HIGHER))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldNeverTakeAnotherTextForANameAndVersion() {
        activated.add(TestPolicy.text(2, 600));
        activated.add(TestPolicy.text(3, 300));
        for (Versions allowed : Versions.values()) {
            assertThatThrownBy(() -> activated.requireMayFollow(policy(3, 301), allowed))
                    .hasMessage(
                            "version: expected one of its own for a new text, found engine-test version 3, which was"
                                    + " activated before with another text (active: engine-test version 3)")
                    .isInstanceOfSatisfying(
                            PolicyRefusedException.class,
                            e -> assertThat(e.isRollBack()).isFalse());
            assertThatThrownBy(() -> activated.requireMayFollow(policy(2, 601), allowed))
                    .hasMessageContaining("found engine-test version 2")
                    .hasMessageContaining("(active: engine-test version 3)");
        }
    }

    @Test
    void shouldHoldAPolicyOfAnotherNameAgainstTheActiveVersionToo() {
        activated.add(TestPolicy.text(3, 300));
        Policy other =
                Policies.check("other.yaml", TestPolicy.text(3, 300).replace("policy: engine-test", "policy: another"));
        assertThatThrownBy(() -> activated.requireMayFollow(other, Versions.HIGHER))
                .hasMessageContaining("as engine-test version 3 is active, found another version 3");
        assertThatCode(() -> activated.requireMayFollow(other, Versions.ANY)).doesNotThrowAnyException();
    }

    @Test
    void shouldKnowTheActiveTextAgain() {
        activated.add(TestPolicy.text(2, 600));
        activated.add(TestPolicy.text(3, 300));
        assertThat(activated.isActive(policy(3, 300))).isTrue();
        assertThat(activated.isActive(policy(3, 301))).isFalse();
        assertThat(activated.isActive(policy(2, 600))).isFalse();
    }

    @Test
    void shouldGoOnAfterATextThatNamesNoVersion() {
        activated.add(TestPolicy.text(2, 600));
        activated.add("no: policy");
        assertThat(activated.active()).contains("no: policy");
        assertThatCode(() -> activated.requireMayFollow(policy(1, 600), Versions.HIGHER))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> activated.requireMayFollow(policy(2, 601), Versions.HIGHER))
                .isInstanceOf(PolicyRefusedException.class);
    }

    private static Policy policy(int version, int reviewAt) {
        return Policies.check("test.yaml", TestPolicy.text(version, reviewAt));
    }
}
