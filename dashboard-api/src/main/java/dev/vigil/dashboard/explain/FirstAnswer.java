package dev.vigil.dashboard.explain;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Explanation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several engines share the partitions: asks one after the other for the one that has the account. */
public final class FirstAnswer implements Explanations {
    private final List<Explanations> engines;

    public FirstAnswer(List<Explanations> engines) {
        this.engines = List.copyOf(engines);
    }

    @Override
    public Explanation explain(String account, String eventId, @Nullable String source) {
        CannotExplainException reason = null;
        for (Explanations engine : engines) {
            try {
                return engine.explain(account, eventId, source);
            } catch (CannotExplainException e) {
                if (e.kind() != Kind.ELSEWHERE && e.kind() != Kind.UNAVAILABLE) {
                    throw e;
                }
                // One that does not answer may be the one that has the account.
                reason = reason == null || e.kind() == Kind.UNAVAILABLE ? e : reason;
            }
        }
        throw reason != null
                ? reason
                : new CannotExplainException(
                        Kind.UNAVAILABLE, "no scoring engine is known here; name one in dashboard.services");
    }
}
