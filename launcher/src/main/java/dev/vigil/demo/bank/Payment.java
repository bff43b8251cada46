package dev.vigil.demo.bank;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A card payment: a row of the table {@code transactions}.
 *
 * @param id unique in the bank, rising in the order of delivery
 * @param amountMinor cents of {@link Bank#currency()}, above 0
 * @param device what an online payment was made from; null in a shop
 * @param eventTimeMs when it happened, epoch milliseconds
 * @param fraud whether it is a thief's
 */
public record Payment(
        long id,
        String accountId,
        String cardId,
        Terminal terminal,
        long amountMinor,
        @Nullable String device,
        long eventTimeMs,
        boolean fraud,
        Delivery delivery)
        implements Action {
    public Payment {
        if (amountMinor <= 0) {
            throw new IllegalArgumentException("amountMinor: expected more than 0, found " + amountMinor);
        }
    }

    public Merchant merchant() {
        return terminal.merchant();
    }

    /** Where the payment took place: the merchant's country. */
    public String country() {
        return merchant().town().country();
    }

    public Optional<String> madeFrom() {
        return Optional.ofNullable(device);
    }

    @Override
    public Payment deliveredAs(Delivery other) {
        return new Payment(id, accountId, cardId, terminal, amountMinor, device, eventTimeMs, fraud, other);
    }

    Payment withId(long newId) {
        return new Payment(newId, accountId, cardId, terminal, amountMinor, device, eventTimeMs, fraud, delivery);
    }
}
