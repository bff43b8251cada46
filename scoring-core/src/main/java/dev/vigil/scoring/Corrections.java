package dev.vigil.scoring;

import dev.vigil.scoring.ScoringPlan.EventPlan;
import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.StoredEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scores of an account that one late event changes. Each event whose windows may see it is scored twice over all that
 * is known now, without it and with it; where the records differ, the second is the correction. So what else came out of
 * order, or changed with the policy, causes no correction by itself, though a correction shows it.
 */
final class Corrections {
    private record Candidate(StoredEvent event, EventPlan plan, byte[] before) {}

    private final StoredEvent late;
    private final long ingestTimeMs;
    private final EntityState state;
    private final ScoringStep scoring;
    private final List<Candidate> candidates = new ArrayList<>();

    private Corrections(StoredEvent late, long ingestTimeMs, EntityState state, ScoringStep scoring) {
        this.late = late;
        this.ingestTimeMs = ingestTimeMs;
        this.state = state;
        this.scoring = scoring;
    }

    /** Scores as they are before the late event enters the timeline. */
    static Corrections before(
            StoredEvent late, long ingestTimeMs, EntityState state, ScoringPlan plan, ScoringStep scoring) {
        Corrections corrections = new Corrections(late, ingestTimeMs, state, scoring);
        for (Block block = firstBlock(state, late); block != null; block = block.next()) {
            for (int i = 0; i < block.count(); i++) {
                StoredEvent event = block.event(i);
                if (event.timeUs() - plan.longestLookBackUs() > late.timeUs()) {
                    return corrections;
                }
                EventPlan eventPlan = plan.event(event.layout().eventType());
                if (event.timeUs() >= late.timeUs() && eventPlan != null) {
                    corrections.candidates.add(
                            new Candidate(event, eventPlan, corrections.scoreAgain(event, eventPlan)));
                }
            }
        }
        return corrections;
    }

    private static @Nullable Block firstBlock(EntityState state, StoredEvent late) {
        Block block = state.timeline().last();
        while (block != null && block.previous() != null && block.timeUs(0) >= late.timeUs()) {
            block = block.previous();
        }
        return block;
    }

    private byte[] scoreAgain(StoredEvent event, EventPlan plan) {
        scoring.scoreAgain(state, event, plan, late, ingestTimeMs);
        return scoring.encode();
    }

    /**
     * Emits the corrections, in order of the events' time. To be called when the late event was scored.
     *
     * @return how many
     */
    long emit(ScoringOutbox outbox) {
        long count = 0;
        for (Candidate candidate : candidates) {
            if (!Arrays.equals(candidate.before(), scoreAgain(candidate.event(), candidate.plan()))) {
                outbox.corrected(scoring);
                count++;
            }
        }
        return count;
    }
}
