package dev.vigil.demo.cards;

import java.time.LocalDateTime;

/**
 * One row.
 *
 * @param id {@code TRANSACTION_ID}: 0, 1, 2 … in the order of time; it also orders payments of the same second
 * @param time {@code TX_DATETIME}: in UTC, to the second
 * @param amountMinor {@code TX_AMOUNT} in cents, 0 for a card verification
 * @param scenario {@code TX_FRAUD_SCENARIO}: 0 for an honest payment, else 1 to 3 as {@link HandbookShapedData} says
 */
public record CardPayment(long id, LocalDateTime time, int customer, int terminal, long amountMinor, int scenario) {
    /** {@code TX_FRAUD}. */
    public boolean fraud() {
        return scenario != 0;
    }
}
