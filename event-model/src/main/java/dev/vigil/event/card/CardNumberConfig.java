package dev.vigil.event.card;

import dev.vigil.config.ConfigNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The {@code dashboard.intake.card-numbers} section: what becomes of card numbers in events. In no mode they are stored.
 *
 * @param keys of tokens: the one in use, then those before it
 */
public record CardNumberConfig(Mode mode, List<CardKey> keys) {
    public enum Mode {
        /** The event is refused. */
        REFUSE,
        /** A token takes the number's place. */
        TOKENISE;

        static Mode parse(String text) {
            for (Mode mode : values()) {
                if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                    return mode;
                }
            }
            throw new IllegalArgumentException(text);
        }
    }

    public CardNumberConfig {
        keys = List.copyOf(keys);
    }

    public static CardNumberConfig defaults() {
        return new CardNumberConfig(Mode.REFUSE, List.of());
    }

    public static CardNumberConfig from(ConfigNode node) {
        node.knownKeys("mode", "keys");
        Mode mode = node.get("mode", defaults().mode, n -> n.read("refuse or tokenise", Mode::parse));
        List<ConfigNode> items = node.get("keys", List.of(), ConfigNode::items);
        Set<String> ids = new HashSet<>();
        for (ConfigNode item : items) {
            if (!ids.add(item.require("id").text())) {
                throw item.require("id").expected("an id of its own for each key");
            }
        }
        if (mode == Mode.TOKENISE && items.isEmpty()) {
            throw node.error("mode tokenise needs keys: expected at least one, found none");
        }
        return new CardNumberConfig(mode, items.stream().map(CardKey::from).toList());
    }
}
