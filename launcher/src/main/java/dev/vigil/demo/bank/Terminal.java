package dev.vigil.demo.bank;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a card is put in, or the payment page of an online merchant.
 *
 * @param id such as {@code T00017-1}
 * @param place where it stands; null for a payment page
 */
public record Terminal(
        String id, Merchant merchant, @Nullable Place place) {
    public Optional<Place> standsAt() {
        return Optional.ofNullable(place);
    }
}
