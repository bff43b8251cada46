package dev.vigil.dashboard.intake;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps card numbers out of what is stored, as the deployment says. Safe for any thread. */
public final class CardNumberGuard {
    private final @Nullable CardTokens tokens;

    public CardNumberGuard(CardNumberConfig config) {
        this.tokens = config.mode() == CardNumberConfig.Mode.TOKENISE ? new CardTokens(config.keys()) : null;
    }

    /** A text that holds card numbers, with tokens in their place. Empty: it must be refused. */
    Optional<String> storable(String text) {
        return tokens == null ? Optional.empty() : Optional.of(CardNumbers.replaced(text, tokens::token));
    }

    /** Of a complaint about a text that is refused for the card number in it. */
    static String complaint(String text) {
        return "looks like a payment card number (" + CardNumbers.firstMasked(text) + "); send a token in its place";
    }
}
