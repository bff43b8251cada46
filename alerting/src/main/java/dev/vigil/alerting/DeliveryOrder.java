package dev.vigil.alerting;

import java.util.Locale;

/** Which alerts of an endpoint wait for which. */
public enum DeliveryOrder {
    /** None for any other. */
    NONE,
    /** Each for the one before it of the same account, until that is accepted or given up. */
    ACCOUNT;

    /** As the configuration spells it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
