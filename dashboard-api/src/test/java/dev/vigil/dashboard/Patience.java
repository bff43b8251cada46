package dev.vigil.dashboard;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what happens on other threads: as long as a busy machine may need, and no longer than it takes. */
public final class Patience {
    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }
}
