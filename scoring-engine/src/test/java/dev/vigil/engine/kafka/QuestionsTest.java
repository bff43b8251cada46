package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.scoring.ScoredBefore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class QuestionsTest {
    private final Questions questions = new Questions();

    private CompletableFuture<ScoredBefore> ask() {
        return questions.ask(3, "account", "event", null);
    }

    private static void refused(CompletableFuture<ScoredBefore> answer, Kind kind) {
        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        CannotExplainException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void shouldRefuseMoreThanItKeepsAndTakeThemAgainOnceItHasAnswered() {
        List<CompletableFuture<ScoredBefore>> waiting = new ArrayList<>();
        for (int i = 0; i < Questions.MAX_WAITING; i++) {
            waiting.add(ask());
        }
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(this::ask)
                    .isInstanceOfSatisfying(
                            CannotExplainException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.BUSY));
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        questions.answer(Map.of());
        waiting.forEach(answer -> refused(answer, Kind.ELSEWHERE));
        assertThat(ask()).isNotDone();
    }

    @Test
    void shouldLeaveNobodyWaitingAtItsEnd() {
        CompletableFuture<ScoredBefore> before = ask();
        questions.close();
        refused(before, Kind.UNAVAILABLE);
        refused(ask(), Kind.UNAVAILABLE);
    }
}
