package dev.vigil.demo.bank;

import java.util.Locale;

/** A kind of fraud that the stream plants. */
public enum Scenario {
    /** One or two payments of ten to twenty-five times the usual amount. */
    SUDDEN_HIGH_AMOUNT,
    /** A dozen or more payments of a few cents to two euros at as many online merchants, then one that pays off. */
    CARD_TESTING,
    /** Failed logins from a device and an address never seen, one that succeeds, then high payments. */
    ACCOUNT_TAKEOVER,
    /** A card in a shop, and seconds later in a shop of a town at least 700 km away. */
    IMPOSSIBLE_TRAVEL,
    /** Honest payments at one terminal; soon afterwards, high online payments with these cards. */
    COMPROMISED_TERMINAL;

    /** The name in rows and reports, such as {@code card-testing}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
