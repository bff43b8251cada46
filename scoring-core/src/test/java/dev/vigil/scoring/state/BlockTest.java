package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockTest {
    private static final EventLayout PAYMENT = new EventLayout(
            "payment",
            List.of(
                    new EventLayout.Field("amount", FieldType.MONEY),
                    new EventLayout.Field("merchant", FieldType.STRING),
                    new EventLayout.Field("country", FieldType.STRING)));
    private static final EventLayout LOGIN = new EventLayout(
            "login",
            List.of(
                    new EventLayout.Field("lat", FieldType.DOUBLE),
                    new EventLayout.Field("lon", FieldType.DOUBLE),
                    new EventLayout.Field("ok", FieldType.BOOL)));

    private static StoredEvent random(Random random, long offset) {
        EventLayout layout = random.nextInt(4) == 0 ? LOGIN : PAYMENT;
        String id = "e".repeat(random.nextInt(40)) + "\u00e9" + offset;
        StoredEvent event = new StoredEvent(layout, "/s" + random.nextInt(3), id, random.nextInt(50), offset);
        for (int slot = 0; slot < layout.numberCount(); slot++) {
            if (random.nextInt(3) > 0) {
                event.setNumber(slot, random.nextLong());
            }
        }
        for (int slot = 0; slot < layout.textCount(); slot++) {
            if (random.nextInt(3) > 0) {
                event.setText(slot, "t" + random.nextInt(5));
            }
        }
        if (random.nextInt(5) == 0) {
            event.label("fraud", true);
        }
        return event;
    }

    private static String told(StoredEvent event) {
        List<Object> all = new ArrayList<>(List.of(
                event.layout().eventType(),
                event.source(),
                event.id(),
                event.timeUs(),
                event.offset(),
                event.isLabelled("fraud")));
        for (int slot = 0; slot < event.layout().numberCount(); slot++) {
            all.add(event.hasNumber(slot) ? event.number(slot) : "none");
        }
        for (int slot = 0; slot < event.layout().textCount(); slot++) {
            all.add(String.valueOf(event.text(slot)));
        }
        return all.toString();
    }

    /** Events come into the middle and leave at the end, again and again, as where others come out of order. */
    @Test
    void shouldGiveEachEventAsItCame() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            Block block = new Block(0);
            List<StoredEvent> expected = new ArrayList<>();
            for (int offset = 0; offset < 200; offset++) {
                if (block.isFull()) {
                    assertThat(told(block.removeLast()))
                            .as("seed %d", seed)
                            .isEqualTo(told(expected.remove(expected.size() - 1)));
                }
                StoredEvent event = random(random, offset);
                int index = random.nextInt(block.count() + 1);
                block.insert(index, event);
                expected.add(index, event);
            }
            for (int i = 0; i < expected.size(); i++) {
                StoredEvent event = expected.get(i);
                assertThat(told(block.event(i))).as("seed %d", seed).isEqualTo(told(event));
                assertThat(block.find(event)).as("seed %d", seed).isEqualTo(i);
                assertThat(block.indexOf(event.offset())).as("seed %d", seed).isEqualTo(i);
            }
            assertThat(block.find(random(random, 1_000))).isEqualTo(-1);
        }
    }
}
