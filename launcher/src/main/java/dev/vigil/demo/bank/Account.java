package dev.vigil.demo.bank;

import java.time.Instant;
import java.util.List;

/**
 * An account and its holder's habits.
 *
 * @param index 0, 1, 2 … in the bank
 * @param id such as {@code A00042}
 * @param typicalSpendMinor mean amount of a purchase, in cents
 * @param activity how often it acts, relative to an average account
 * @param cards tokens such as {@code A00042-C1}; no card number exists anywhere
 * @param devices that its holder logs in and shops from
 * @param ips that these devices have
 */
public record Account(
        int index,
        String id,
        Town home,
        long typicalSpendMinor,
        double activity,
        Instant openedAt,
        long creditLimitMinor,
        List<String> cards,
        List<String> devices,
        List<String> ips) {
    public Account {
        cards = List.copyOf(cards);
        devices = List.copyOf(devices);
        ips = List.copyOf(ips);
    }
}
