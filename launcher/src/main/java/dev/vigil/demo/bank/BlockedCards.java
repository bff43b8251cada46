package dev.vigil.demo.bank;

import java.time.Duration;

/**
 * Accounts whose cards the bank has blocked after a fraud: neither their holders nor thieves use them for a while. It
 * keeps an honest payment from looking suspicious only because a thief's came before.
 */
final class BlockedCards {
    private static final double KM_PER_HOUR = 600;

    private final long[] untilMs;

    BlockedCards(int accounts) {
        untilMs = new long[accounts];
    }

    boolean isBlocked(Account account, long nowMs) {
        return nowMs < untilMs[account.index()];
    }

    /** Blocks for half an hour. */
    void block(Account account, long fromMs) {
        blockUntil(account, fromMs + Duration.ofMinutes(30).toMillis());
    }

    /** Blocks until an aeroplane would have come home from that far. */
    void blockAfterTravel(Account account, long fromMs, double kilometres) {
        blockUntil(account, fromMs + (long) (kilometres / KM_PER_HOUR * 3_600_000));
    }

    private void blockUntil(Account account, long epochMs) {
        untilMs[account.index()] = Math.max(untilMs[account.index()], epochMs);
    }
}
