package dev.vigil.alerting;

import dev.vigil.alerting.cases.CasesContract;
import java.util.List;

final class InMemoryCasesTest extends CasesContract {
    @Override
    protected Outbox create() {
        return new InMemoryOutbox();
    }

    @Override
    protected Outbox restarted(Outbox outbox) {
        return outbox;
    }

    @Override
    protected List<Long> seedsWithRestarts() {
        return List.of(1L, 2L, 3L);
    }
}
