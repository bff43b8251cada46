package dev.vigil.launcher;

import dev.vigil.dashboard.intake.DeclaredTypes;
import dev.vigil.dashboard.intake.PolicyLanguage;
import dev.vigil.event.EventEnvelope;
import dev.vigil.scoring.EventCheck;
import dev.vigil.scoring.policy.Policy;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the intake must know of the log's policies, told by the scoring core. */
final class LogPolicies implements PolicyLanguage {
    private @Nullable EventCheck active;

    /** @param first in force before the log's first record; null: none */
    LogPolicies(@Nullable Policy first) {
        this.active = first == null ? null : new EventCheck(first);
    }

    @Override
    public Optional<DeclaredTypes> first() {
        return types();
    }

    @Override
    public Optional<DeclaredTypes> activated(String policyText) {
        active = EventCheck.activated(active, policyText).orElse(null);
        return types();
    }

    private Optional<DeclaredTypes> types() {
        return Optional.ofNullable(active).map(Checked::new);
    }

    private record Checked(EventCheck check) implements DeclaredTypes {
        private static final byte[] NO_DATA = {};

        @Override
        public String policy() {
            return check.policy().name() + " version " + check.policy().version();
        }

        @Override
        public Verdict check(EventEnvelope event, long nowMs) {
            EventCheck.Findings findings = check.check(event, nowMs);
            return new Verdict(
                    findings.refused().stream().map(Checked::complaint).toList(), findings.undeclared());
        }

        @Override
        public Collection<String> fields(String type) {
            return check.fields(type);
        }

        @Override
        public boolean readsPlain() {
            return check.policy().plain() != null;
        }

        @Override
        public Optional<Plain> plain(byte[] json) {
            return check.plain(json)
                    .map(plain -> new Plain(
                            plain.id(),
                            plain.source(),
                            plain.type(),
                            plain.account(),
                            plain.accountIsKey(),
                            plain.timeUs(),
                            plain.data() == null ? NO_DATA : plain.data(),
                            plain.envelopeKeys(),
                            plain.paths(),
                            plain.refused().stream().map(Checked::complaint).toList()));
        }

        private static Complaint complaint(EventCheck.Finding finding) {
            return new Complaint(finding.field(), finding.reason().code(), finding.expected(), finding.found());
        }
    }
}
