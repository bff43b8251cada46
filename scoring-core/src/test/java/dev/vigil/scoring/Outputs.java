package dev.vigil.scoring;

import dev.vigil.event.Alert;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.ScoredSchema;
import dev.vigil.event.Summary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Everything that came out of a scorer, in order, with the offset of the record that it came of. */
class Outputs implements ScoringOutbox {
    enum Kind {
        SCORED,
        CORRECTED,
        ALERT,
        SUMMARY,
        SCHEMA,
        LATE,
        DEAD_LETTER
    }

    /** @param text of a dead letter: its reason's code and detail; else the JSON */
    record Output(long offset, Kind kind, String text) {}

    record Refusal(long offset, Reason reason, String detail) {}

    private final List<Output> all = new ArrayList<>();
    private final List<Refusal> deadLetters = new ArrayList<>();
    long offset;

    @Override
    public void scored(ScoredView event) {
        add(Kind.SCORED, event.encode());
    }

    @Override
    public void corrected(ScoredView event) {
        add(Kind.CORRECTED, event.encode());
    }

    @Override
    public void alert(String account, byte[] alert) {
        add(Kind.ALERT, alert);
    }

    @Override
    public void summary(String account, byte[] summary) {
        add(Kind.SUMMARY, summary);
    }

    @Override
    public void schema(byte[] schema) {
        add(Kind.SCHEMA, schema);
    }

    @Override
    public void late(LogRecord record) {
        add(Kind.LATE, new byte[0]);
    }

    @Override
    public void deadLetter(LogRecord record, Reason reason, String detail) {
        deadLetters.add(new Refusal(offset, reason, detail));
        add(Kind.DEAD_LETTER, (reason.code() + ": " + detail).getBytes(StandardCharsets.UTF_8));
    }

    private void add(Kind kind, byte[] bytes) {
        all.add(new Output(offset, kind, new String(bytes, StandardCharsets.UTF_8)));
    }

    List<Output> all() {
        return all;
    }

    /** Forgets what came of records from the offset on, as a log does of which these were never appended. */
    void truncate(long fromOffset) {
        all.removeIf(output -> output.offset() >= fromOffset);
        deadLetters.removeIf(refusal -> refusal.offset() >= fromOffset);
    }

    List<ScoredEvent> scored() {
        return decoded(Kind.SCORED, ScoredEvent.class);
    }

    List<ScoredEvent> corrected() {
        return decoded(Kind.CORRECTED, ScoredEvent.class);
    }

    ScoredEvent scored(String eventId) {
        return scored().stream()
                .filter(event -> event.eventId().equals(eventId))
                .reduce((first, second) -> second)
                .orElseThrow(() -> new AssertionError(eventId + " was not scored; came out: " + all));
    }

    /** A feature of an event; null where absent. */
    Object feature(String eventId, String name) {
        return scored(eventId).features().get(name);
    }

    List<Object> features(String name) {
        return scored().stream()
                .map(event -> Objects.requireNonNullElse(event.features().get(name), "absent"))
                .toList();
    }

    List<Alert> alerts() {
        return decoded(Kind.ALERT, Alert.class);
    }

    List<Summary> summaries() {
        return decoded(Kind.SUMMARY, Summary.class);
    }

    List<ScoredSchema> schemas() {
        return decoded(Kind.SCHEMA, ScoredSchema.class);
    }

    List<Refusal> deadLetters() {
        return deadLetters;
    }

    /** How often each kind came out. */
    Map<Kind, Long> counts() {
        return all.stream()
                .collect(java.util.stream.Collectors.groupingBy(
                        Output::kind, java.util.TreeMap::new, java.util.stream.Collectors.counting()));
    }

    private <T> List<T> decoded(Kind kind, Class<T> type) {
        return all.stream()
                .filter(output -> output.kind() == kind)
                .map(output -> Json.decode(output.text().getBytes(StandardCharsets.UTF_8), type))
                .toList();
    }
}
