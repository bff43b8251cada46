package dev.vigil.dashboard.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;

final class InMemoryDeadLettersTest extends DeadLettersContract {
    private final InMemoryDeadLetters letters = new InMemoryDeadLetters();

    @Override
    protected DeadLetters letters() {
        return letters;
    }

    @Override
    protected LetterPosition add(
            int partition, long atMs, byte @Nullable [] key, byte @Nullable [] value, List<LetterHeader> headers) {
        return letters.add(partition, atMs, key, value, headers);
    }

    @Override
    protected List<InMemoryDeadLetters.PutBack> putBack() {
        return letters.putBack();
    }

    @Override
    protected String intakeTopic() {
        return "vigil.intake";
    }
}
