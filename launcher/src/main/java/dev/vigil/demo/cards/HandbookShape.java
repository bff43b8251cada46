package dev.vigil.demo.cards;

import java.time.LocalDate;

/**
 * How much to make up; two files of the same shape hold the same rows.
 *
 * @param seed any number
 * @param customers 1 to 100,000; each pays about twice a day
 * @param terminals 1 to 100,000
 * @param firstDay in UTC
 * @param days 1 to 3,650
 */
public record HandbookShape(long seed, int customers, int terminals, LocalDate firstDay, int days) {
    public HandbookShape {
        require("customers", customers, 100_000);
        require("terminals", terminals, 100_000);
        require("days", days, 3_650);
    }

    /** 400 customers, 800 terminals, 90 days: about 70,000 rows. */
    public static HandbookShape small(long seed) {
        return new HandbookShape(seed, 400, 800, LocalDate.of(2025, 1, 1), 90);
    }

    private static void require(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(name + ": expected 1 to " + max + ", found " + value);
        }
    }
}
