package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.EventTimes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Since when the features of the active policy are complete, as running engines tell it. */
final class FeatureCompleteness {
    private static final int MAX_ASKS = 150;
    private static final long PAUSE_MS = 200;

    private final RunningVigil vigil;

    FeatureCompleteness(RunningVigil vigil) {
        this.vigil = vigil;
    }

    /** What the engines tell together. */
    private static final class Told {
        private final Map<String, Long> sinceUs = new LinkedHashMap<>();
        private final Map<Integer, Long> nextOffsets = new HashMap<>();
        private @Nullable Long watermarkUs;
        private @Nullable Long lateEntersFromUs;
        private boolean isKnown;
        /** Why no engine told; null if one did. */
        private @Nullable String silence;

        void add(JsonNode engine) {
            JsonNode since = engine.path("complete_since_us");
            isKnown |= since.isObject();
            since.properties()
                    .forEach(entry ->
                            sinceUs.merge(entry.getKey(), entry.getValue().asLong(), Math::max));
            for (JsonNode partition : engine.path("partitions")) {
                nextOffsets.merge(
                        partition.path("partition").asInt(),
                        partition.path("next_offset").asLong(),
                        Math::max);
                if (partition.has("late_enters_from_us")) {
                    long us = partition.path("late_enters_from_us").asLong();
                    lateEntersFromUs = lateEntersFromUs == null ? us : Math.max(lateEntersFromUs, us);
                }
                if (partition.has("watermark_us")) {
                    long us = partition.path("watermark_us").asLong();
                    watermarkUs = watermarkUs == null ? us : Math.min(watermarkUs, us);
                }
            }
        }

        boolean hasPassed(Map<Integer, Long> offsets) {
            return offsets.entrySet().stream()
                    .allMatch(entry -> nextOffsets.getOrDefault(entry.getKey(), 0L) > entry.getValue());
        }

        void addLate(List<String> lines) {
            if (lateEntersFromUs != null) {
                lines.add("late: update: late events before " + EventTimes.format(lateEntersFromUs)
                        + " are put aside and correct nothing, since what their windows hold was forgotten");
            }
        }

        boolean isIncomplete(long us) {
            return watermarkUs == null || us > watermarkUs;
        }
    }

    /**
     * Waits for half a minute at most until the engines have taken an activation, then says which features are incomplete.
     *
     * @param offsets of the activation, by partition
     */
    List<String> afterActivation(Map<Integer, Long> offsets) {
        for (int ask = 0; ask < MAX_ASKS; ask++) {
            Told told = ask();
            if (told.silence != null) {
                return List.of(notKnown(told.silence));
            }
            if (told.hasPassed(offsets)) {
                return incomplete(told);
            }
            pause();
        }
        return List.of(
                "the engine has not taken it yet; 'vigil policy show' tells since when its features are complete");
    }

    private static String notKnown(String why) {
        return "since when its features are complete is not known: " + why;
    }

    private static List<String> incomplete(Told told) {
        if (!told.isKnown) {
            return List.of("no event so far: a window is complete its length after the first one");
        }
        List<String> lines = new ArrayList<>();
        told.sinceUs.forEach((feature, us) -> {
            if (told.isIncomplete(us)) {
                lines.add(feature + ": incomplete for events before " + EventTimes.format(us));
            }
        });
        if (lines.isEmpty()) {
            lines.add("every feature is complete");
        }
        told.addLate(lines);
        return lines;
    }

    /** Each feature that reads a window, and since when it is complete; one line that says so if that is not known. */
    List<String> shown() {
        Told told = ask();
        if (told.silence != null) {
            return List.of(notKnown(told.silence));
        }
        if (!told.isKnown) {
            return incomplete(told);
        }
        List<String> lines = new ArrayList<>();
        lines.add("features, and the event time from which on each is complete");
        told.sinceUs.forEach((feature, us) -> lines.add(
                "  " + feature + ": " + EventTimes.format(us) + (told.isIncomplete(us) ? ", not reached yet" : "")));
        told.addLate(lines);
        return lines;
    }

    private Told ask() {
        RunningVigil.Reply reply = vigil.get("/api/v1/status");
        Told told = new Told();
        if (reply.answer().isEmpty()) {
            told.silence = reply.why();
            return told;
        }
        RunningVigil.Answer answer = reply.answer().get();
        told.silence = "no engine is known at " + answer.address();
        for (JsonNode service : answer.body().path("services")) {
            if (service.path("service").asText().equals("scoring-engine") && service.has("partitions")) {
                told.add(service);
                told.silence = null;
            }
        }
        return told;
    }

    private static void pause() {
        try {
            var unused = new CountDownLatch(1).await(PAUSE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while waiting for the engine");
        }
    }
}
