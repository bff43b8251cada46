package dev.vigil.dashboard.deadletter;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Headers of dead letters as the services write them. */
public final class Letters {
    private Letters() {}

    public static List<LetterHeader> ofEngine(DeadLetter.Reason reason, String detail, int partition, long offset) {
        return with(
                List.of(
                        header(EventEnvelope.ID_HEADER, "e-" + offset),
                        header(EventEnvelope.TYPE_HEADER, "transaction")),
                new DeadLetter(
                        reason, DeadLetter.ENGINE_STAGE, detail, new SourcePosition("topic-id", partition, offset)));
    }

    public static List<LetterHeader> ofIntake(
            String topic, DeadLetter.Reason reason, String detail, int partition, long offset) {
        List<LetterHeader> headers =
                new ArrayList<>(with(List.of(), new DeadLetter(reason, DeadLetter.INTAKE_STAGE, detail, null)));
        headers.add(header(DeadLetter.ORIGIN_HEADER, topic + ":" + partition + ":" + offset));
        return headers;
    }

    public static List<LetterHeader> of(DeadLetter.Reason reason, String stage) {
        return with(List.of(), new DeadLetter(reason, stage, "expected something, found something else", null));
    }

    public static List<LetterHeader> with(List<LetterHeader> original, DeadLetter letter) {
        List<LetterHeader> headers = new ArrayList<>(original);
        for (Map.Entry<String, byte[]> header : letter.headers().entrySet()) {
            headers.add(new LetterHeader(header.getKey(), header.getValue()));
        }
        return headers;
    }

    public static LetterHeader header(String name, String value) {
        return new LetterHeader(name, bytes(value));
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte @Nullable [] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }
}
