package dev.vigil.demo.bank;

/**
 * All that tells one bank from another: two banks of the same shape are the same to the last cent.
 *
 * @param seed any number
 * @param accounts 100 to 1,000,000
 */
public record BankShape(long seed, int accounts) {
    public BankShape {
        if (accounts < 100 || accounts > 1_000_000) {
            throw new IllegalArgumentException("accounts: expected 100 to 1000000, found " + accounts);
        }
    }

    /**
     * A bank large enough that an account acts about every 100 s at this rate, so that velocity rules mean something,
     * and small enough to be captured within seconds: 1,000 to 10,000 accounts.
     */
    public static BankShape forRate(long seed, double eventsPerSecond) {
        return new BankShape(seed, (int) Math.max(1_000, Math.min(10_000, 100 * eventsPerSecond)));
    }
}
