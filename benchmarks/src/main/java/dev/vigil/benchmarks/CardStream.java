package dev.vigil.benchmarks;

import dev.vigil.event.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Card payments as a busy issuer sees them, made up from a seed: 100,000 accounts whose traffic follows Zipf's law with
 * exponent 1, log-normal amounts, a home country and some forty usual merchants per account, 2,000,000 events per week of
 * event time, of which 2 % arrive up to a minute late; unless said otherwise. The n-th event depends on the seed and on n alone. One thread.
 */
final class CardStream {
    static final String SOURCE = "/benchmark/cards";
    private static final int ACCOUNT_COUNT = 100_000;
    private static final int MERCHANT_COUNT = 20_000;
    private static final int FAMOUS_MERCHANT_COUNT = 1_000;
    private static final long START_US = 1_760_000_000_000_000L;
    private static final double MEDIAN_CENTS = 3_000;
    private static final double AMOUNT_SIGMA = 1.2;
    private static final String[] COUNTRIES = {"DE", "FR", "NL", "GB", "US", "ES", "IT", "PL", "SE", "BR", "CN", "IN"};

    /**
     * How events follow each other.
     *
     * @param usPerEvent event time from one to the next, µs
     * @param latePercent of the events that come late
     * @param lateUsMax by less than so much, µs
     */
    record Pace(double usPerEvent, int latePercent, long lateUsMax) {
        static final Pace USUAL = new Pace(7 * 86_400e6 / 2_000_000, 2, 60_000_000);
    }

    private final SplittableRandom random;
    private final double[] cumulativeWeights;
    private final int accountCount;
    private final Pace pace;
    private long count;

    CardStream(long seed) {
        this(seed, ACCOUNT_COUNT);
    }

    /** @param accountCount no multiple of 7919 */
    CardStream(long seed, int accountCount) {
        this(seed, accountCount, Pace.USUAL);
    }

    /** As the other, at another pace. */
    CardStream(long seed, int accountCount, Pace pace) {
        random = new SplittableRandom(seed);
        this.pace = pace;
        this.accountCount = accountCount;
        cumulativeWeights = new double[accountCount];
        double sum = 0;
        for (int rank = 0; rank < accountCount; rank++) {
            sum += 1.0 / (rank + 1);
            cumulativeWeights[rank] = sum;
        }
    }

    /** Number of events made so far; the next one is {@code t-<count>}. */
    long count() {
        return count;
    }

    EventEnvelope next() {
        return next(account());
    }

    /** @param account from 0 */
    EventEnvelope next(int account) {
        long onTimeUs = START_US + (long) (count * pace.usPerEvent());
        long timeUs =
                random.nextInt(100) < pace.latePercent() ? onTimeUs - random.nextLong(pace.lateUsMax()) : onTimeUs;
        byte[] data = data(account);
        return new EventEnvelope(
                "t-" + count++, SOURCE, "transaction", timeUs, "a-" + (1_000_000 + account), false, data);
    }

    private int account() {
        double point = random.nextDouble() * cumulativeWeights[accountCount - 1];
        int found = Arrays.binarySearch(cumulativeWeights, point);
        int rank = Math.min(accountCount - 1, found < 0 ? -found - 1 : found);
        // Busy accounts are not those with low numbers; 7919 is prime to the number of accounts.
        return (int) (rank * 7_919L % accountCount);
    }

    private byte[] data(int account) {
        int merchant = random.nextInt(100) < 2
                ? random.nextInt(FAMOUS_MERCHANT_COUNT)
                : (int) ((account * 31L + random.nextInt(40)) % MERCHANT_COUNT);
        int country = random.nextInt(1_000) < 15 ? random.nextInt(COUNTRIES.length) : account % COUNTRIES.length;
        long cents = Math.max(1, (long) (MEDIAN_CENTS * Math.exp(AMOUNT_SIGMA * gaussian())));
        StringBuilder json = new StringBuilder(260);
        json.append("{\"card\":\"c-").append(1_000_000 + account).append('-').append(random.nextInt(3));
        json.append("\",\"merchant\":\"m-").append(100_000 + merchant);
        json.append("\",\"amount\":\"").append(cents / 100).append('.').append(cents / 10 % 10);
        json.append(cents % 10).append("\",\"currency\":\"EUR\",\"country\":\"").append(COUNTRIES[country]);
        json.append("\",\"mcc\":\"").append(5_000 + merchant % 900);
        json.append("\",\"device\":\"d-").append(Integer.toHexString(account * 0x9E3779B1));
        json.append('-').append(random.nextInt(4));
        json.append("\",\"lat\":").append(35 + random.nextInt(2_500_000) / 100_000.0);
        json.append(",\"lon\":").append(-10 + random.nextInt(4_000_000) / 100_000.0);
        json.append(",\"channel\":\"ecommerce\"}");
        return json.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Box and Muller; {@code SplittableRandom.nextGaussian} differs between Java versions. */
    private double gaussian() {
        double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
        return radius * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
