package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Room for four accounts with an event each. */
class EntityStatesTest {
    private final InMemoryStateStore store = new InMemoryStateStore();
    private final LayoutRegistry layouts = TaskState.load(store).layouts();
    private final EntityStates states = new EntityStates(store, layouts, 4 * (1 + EntityStates.EVENTS_PER_ACCOUNT));
    private EventLayout layout;
    private long offset;
    private long taken;

    @BeforeEach
    void activateLayout() {
        layout = layouts.activate(new EventLayout("tx", List.of()));
    }

    private EntityState add(String entity) {
        EntityState state = states.get(entity);
        states.changed(state);
        state.timeline().insert(new StoredEvent(layout, "/s", "e" + offset, offset, offset));
        offset++;
        return state;
    }

    private StateBatch take() {
        StateBatch batch = new StateBatch();
        states.collect(batch, ++taken);
        return batch;
    }

    private void write(StateBatch batch, long step) {
        store.write(batch);
        states.trim(step);
    }

    /** A step without the others. */
    private void useAnother() {
        add("b");
        write(take(), taken);
    }

    @Test
    void shouldLetGoOfTheAccountsUsedLeastRecently() {
        List<EntityState> before = List.of(add("a"), add("b"), add("c"), add("d"));
        write(take(), 1);
        assertThat(states.get("a")).isSameAs(before.get(0));
        add("e");
        write(take(), 2);
        assertThat(states.get("a")).isSameAs(before.get(0));
        assertThat(states.get("c")).isSameAs(before.get(2));
        assertThat(states.get("d")).isSameAs(before.get(3));
        EntityState again = states.get("b");
        assertThat(again).isNotSameAs(before.get(1));
        assertThat(again.timeline().size()).isOne();
    }

    @Test
    void shouldCountEventsThatCameAndWent() {
        EntityState a = add("a");
        EntityState b = add("b");
        for (int i = 0; i < 40; i++) {
            add("b");
        }
        states.changed(b);
        b.timeline().prune(Long.MAX_VALUE, 2);
        b.timeline().prune(Long.MAX_VALUE, 1);
        add("b");
        write(take(), 1);
        assertThat(states.get("a")).isSameAs(a);
        assertThat(states.get("b")).isSameAs(b);
    }

    /** It would be read back as it was before. */
    @Test
    void shouldKeepWhatTheStoreDoesNotHave() {
        EntityState a = add("a");
        StateBatch first = take();
        for (int i = 0; i < 20; i++) {
            add("a");
        }
        StateBatch second = take();
        write(first, 1);
        assertThat(states.get("a")).isSameAs(a);
        write(second, 2);
        useAnother();
        useAnother(); // the first one lets it have another round, since it was used
        EntityState again = states.get("a");
        assertThat(again).isNotSameAs(a);
        assertThat(again.timeline().size()).isEqualTo(21);
    }

    /** So that it is not read back in each step. */
    @Test
    void shouldKeepAnAccountThatThereIsNoRoomForWhileItIsUsed() {
        EntityState a = add("a");
        for (int step = 0; step < 20; step++) {
            add("a");
            add("b");
            write(take(), taken);
            assertThat(states.get("a")).isSameAs(a);
        }
        useAnother();
        useAnother(); // the first one lets it have another round, since it was used
        assertThat(states.get("a")).isNotSameAs(a);
    }

    @Test
    void shouldTellTheLatestEventOfAnAccountThatIsNotInMemory() {
        for (int i = 0; i < 40; i++) {
            add("a");
        }
        assertThat(states.latestUs("a")).hasValue(39);
        write(take(), 1);
        useAnother();
        for (int i = 0; i < 2; i++) {
            assertThat(states.latestUs("a")).hasValue(39);
        }
        assertThat(states.latestUs("nobody")).isEmpty();
    }

    @Test
    void shouldForgetAnAccountPieceByPiece() {
        for (int i = 0; i < 40; i++) {
            add("a");
        }
        write(take(), taken);
        useAnother();
        states.forgetEvents(states.get("a"), 39, 2);
        write(take(), taken);
        useAnother();
        assertThat(states.latestUs("a")).hasValue(39);
        states.forgetEvents(states.get("a"), 39, 2);
        states.forgetEvents(states.get("b"), Long.MAX_VALUE, 2);
        write(take(), taken);
        assertThat(store.size()).isZero();
        assertThat(states.get("a").timeline().size()).isZero();
    }
}
