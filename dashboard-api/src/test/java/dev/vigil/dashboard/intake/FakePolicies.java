package dev.vigil.dashboard.intake;

import dev.vigil.config.ConfigDocument;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A language of policies that declares texts alone: {@code login: device ip} in a line declares a type with two of them. A
 * text that does not parse changes nothing, as in the real one. A line {@code plain: PATHS} takes plain records, with {@code id},
 * {@code time}, {@code account} and {@code type} where they are named there; the record itself has the fields.
 */
public final class FakePolicies implements PolicyLanguage {
    private Optional<DeclaredTypes> active;

    private FakePolicies(Optional<DeclaredTypes> first) {
        this.active = first;
    }

    /** With none in force at first. */
    public static FakePolicies none() {
        return new FakePolicies(Optional.empty());
    }

    /** With one in force at first that takes every event. */
    public static FakePolicies takingAll() {
        return new FakePolicies(Optional.of(all()));
    }

    public static DeclaredTypes all() {
        return new Types(Map.of()) {
            @Override
            public Verdict check(EventEnvelope event, long nowMs) {
                return new Verdict(List.of(), List.of());
            }
        };
    }

    public static DeclaredTypes of(String text) {
        FakePolicies policies = none();
        return policies.activated(text).orElseThrow();
    }

    /** A policy as the intake knows it once the log was read. */
    public static ActivePolicy active(PolicyLanguage language) {
        ActivePolicy policy = new ActivePolicy(language);
        policy.readToEnd();
        return policy;
    }

    /** The section {@code dashboard.intake}. */
    public static IntakeConfig config(String yaml) {
        return IntakeConfig.from(ConfigDocument.parse("vigil.yaml", yaml));
    }

    @Override
    public Optional<DeclaredTypes> first() {
        return active;
    }

    @Override
    public Optional<DeclaredTypes> activated(String policyText) {
        Map<String, Set<String>> types = new HashMap<>();
        for (String line : policyText.split("\n", -1)) {
            String[] parts = line.split(": ?", -1);
            if (parts.length != 2) {
                return active;
            }
            types.put(parts[0], Set.of(parts[1].split(" ", -1)));
        }
        active = Optional.of(new Types(types));
        return active;
    }

    private static class Types implements DeclaredTypes {
        private final Map<String, Set<String>> types;
        private final Set<String> plain;

        Types(Map<String, Set<String>> types) {
            this.types = new HashMap<>(types);
            Set<String> paths = this.types.remove("plain");
            this.plain = paths == null ? Set.of() : paths;
        }

        @Override
        public Collection<String> fields(String type) {
            return types.getOrDefault(type, Set.of());
        }

        @Override
        public boolean readsPlain() {
            return !plain.isEmpty();
        }

        @Override
        public Optional<Plain> plain(byte[] json) {
            if (plain.isEmpty()) {
                return Optional.empty();
            }
            Map<String, Object> record = Json.decodeObject(json);
            Object time = record.get("time");
            return Optional.of(new Plain(
                    text(record.get("id")),
                    "/plain",
                    plain.contains("type") ? text(record.get("type")) : "login",
                    text(record.get("account")),
                    !plain.contains("account"),
                    time == null ? null : EventTimes.parse(time.toString()),
                    json,
                    plain,
                    Map.of("id", "id", "time", "time"),
                    List.of()));
        }

        private static @Nullable String text(@Nullable Object value) {
            return value == null ? null : value.toString();
        }

        @Override
        public String policy() {
            return "fake version 1";
        }

        @Override
        public Verdict check(EventEnvelope event, long nowMs) {
            if (event.type().equals(EventTypes.LABEL)) {
                return new Verdict(List.of(), List.of());
            }
            Set<String> fields = types.get(event.type());
            if (fields == null) {
                return new Verdict(
                        List.of(new Complaint("type", "unknown_event_type", "one of " + types.keySet(), event.type())),
                        List.of());
            }
            List<Complaint> complaints = new ArrayList<>();
            List<String> undeclared = new ArrayList<>();
            Json.decodeObject(event.data()).forEach((key, value) -> {
                if (!fields.contains(key)) {
                    undeclared.add(key);
                } else if (!(value instanceof String)) {
                    complaints.add(new Complaint("/data/" + key, "bad_field", "a text", String.valueOf(value)));
                }
            });
            return new Verdict(complaints, undeclared);
        }
    }
}
