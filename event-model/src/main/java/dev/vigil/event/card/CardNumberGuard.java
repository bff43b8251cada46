package dev.vigil.event.card;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps card numbers out of what is stored, as the deployment says. Safe for any thread. */
public final class CardNumberGuard {
    private final @Nullable UnaryOperator<String> replacement;

    public CardNumberGuard(CardNumberConfig config) {
        this(config.mode() == CardNumberConfig.Mode.TOKENISE ? new CardTokens(config.keys())::token : null);
    }

    private CardNumberGuard(@Nullable UnaryOperator<String> replacement) {
        this.replacement = replacement;
    }

    /** Of what is not published but kept for people to look at: masks card numbers where tokens may not take their place. */
    public static CardNumberGuard masking() {
        return new CardNumberGuard(CardNumbers::masked);
    }

    /** A text that holds card numbers, with tokens in their place. Empty: it must be refused. */
    public Optional<String> storable(String text) {
        return replacement == null ? Optional.empty() : Optional.of(CardNumbers.replaced(text, replacement));
    }

    /** Of a complaint about a text that is refused for the card number in it. */
    public static String complaint(String text) {
        return found(text) + "; send a token in its place";
    }

    /** What was found in a text that holds a card number, for people. */
    public static String found(String text) {
        return "looks like a payment card number (" + CardNumbers.firstMasked(text) + ")";
    }
}
