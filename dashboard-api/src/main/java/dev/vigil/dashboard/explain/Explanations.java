package dev.vigil.dashboard.explain;

import dev.vigil.event.Explanation;
import org.jspecify.annotations.Nullable;

/** Why events were scored as they were; the launcher gives it the engine of its process. Called by several threads at once. */
@FunctionalInterface
public interface Explanations {
    /**
     * Blocks until the engine has an answer, or for half a minute at most.
     *
     * @param source of the event; null if the id is enough
     * @throws dev.vigil.event.CannotExplainException in every case in which there is nothing to return
     */
    Explanation explain(String account, String eventId, @Nullable String source);
}
