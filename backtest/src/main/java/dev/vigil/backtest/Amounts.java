package dev.vigil.backtest;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.policy.EventDeclaration;
import dev.vigil.scoring.policy.Policy;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which field of a policy's events says how much money an event moves. */
final class Amounts {
    private static final String USUAL = "amount";

    private Amounts() {}

    /** The money field called {@code amount}, else the only money field; empty if that leaves none or a choice. */
    static Optional<String> field(Policy policy) {
        Set<String> money = new TreeSet<>();
        for (EventDeclaration event : policy.events()) {
            event.fields().forEach((name, type) -> {
                if (type == FieldType.MONEY) {
                    money.add(name);
                }
            });
        }
        if (money.contains(USUAL)) {
            return Optional.of(USUAL);
        }
        return money.size() == 1 ? Optional.of(money.iterator().next()) : Optional.empty();
    }
}
