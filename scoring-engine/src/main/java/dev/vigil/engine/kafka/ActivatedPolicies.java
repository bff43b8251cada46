package dev.vigil.engine.kafka;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.scoring.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The policies that were activated in the log so far, and whether another may follow them. One thread. */
final class ActivatedPolicies {
    /** What a score names its policy by, so one name and version must mean one text. */
    private record Version(String name, int number) {
        static Version of(Policy policy) {
            return new Version(policy.name(), policy.version());
        }

        @Override
        public String toString() {
            return name + " version " + number;
        }
    }

    private final Map<Version, String> texts = new HashMap<>();
    private @Nullable String activeText;
    private @Nullable Version active;
    private @Nullable String currency;

    /** The next activation in the order of the log. One in another currency is refused by the engine, and so not active. */
    void add(String text) {
        String found = currency(text);
        if (currency != null && found != null && !currency.equals(found)) {
            return;
        }
        currency = found == null ? currency : found;
        activeText = text;
        active = version(text);
        if (active != null) {
            texts.put(active, text);
        }
    }

    /** Name and version alone, since a text that an older Vigil wrote may not pass today's checks; null if it has none. */
    private static @Nullable Version version(String text) {
        try {
            ConfigNode root = ConfigDocument.parse("the log", text);
            return new Version(
                    root.require("policy").text(), root.require("version").integer());
        } catch (ConfigException e) {
            return null;
        }
    }

    private static @Nullable String currency(String text) {
        try {
            return ConfigDocument.parse("the log", text).require("currency").text();
        } catch (ConfigException e) {
            return null;
        }
    }

    /** Text of the last one; empty before the first. */
    Optional<String> active() {
        return Optional.ofNullable(activeText);
    }

    boolean isActive(Policy policy) {
        return policy.text().equals(activeText);
    }

    /** @throws PolicyRefusedException if this policy must not be activated next */
    void requireMayFollow(Policy next, PolicyPublisher.Versions allowed) {
        String nextCurrency = next.currency().currency();
        if (currency != null && !currency.equals(nextCurrency)) {
            throw new PolicyRefusedException(
                    "currency",
                    "expected " + currency + " as until now, since remembered amounts are in it, found " + nextCurrency,
                    false);
        }
        String known = texts.get(Version.of(next));
        if (known != null && !known.equals(next.text())) {
            throw new PolicyRefusedException(
                    "version",
                    "expected one of its own for a new text, found " + Version.of(next)
                            + ", which was activated before with another text (active: " + active + ")",
                    false);
        }
        if (allowed == PolicyPublisher.Versions.HIGHER && active != null && next.version() <= active.number()) {
            throw new PolicyRefusedException(
                    "version",
                    "expected more than " + active.number() + ", as " + active + " is active, found "
                            + Version.of(next),
                    true);
        }
    }
}
