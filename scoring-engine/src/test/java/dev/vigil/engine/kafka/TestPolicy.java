package dev.vigil.engine.kafka;

import java.util.Random;

/** Policies for the traffic of {@link TestTraffic}. */
final class TestPolicy {
    private TestPolicy() {}

    /** As {@link #text}, with late events entered and scores corrected. */
    static String updating(int version, int reviewAt) {
        return text(version, reviewAt).replace("late: side_output", "late: update");
    }

    /**
     * As {@link #updating}, with another threshold, other lengths of windows and summaries, and now and then with late
     * events sent aside.
     */
    static String varied(int version, Random random) {
        String policy = random.nextInt(4) == 0
                ? text(version, 200 + random.nextInt(600))
                : updating(version, 200 + random.nextInt(600));
        return policy.replace(
                        "tx_sum_1d: {sum: transaction.amount, over: 1d}",
                        random.nextBoolean()
                                ? "tx_sum_1d: {sum: transaction.amount, over: 1d}"
                                : "tx_sum_2d: {sum: transaction.amount, over: 2d}")
                .replace("every: 1h", random.nextBoolean() ? "every: 1h" : "every: 2h");
    }

    /** @param reviewAt highest amount, in euros, that raises no alert */
    static String text(int version, int reviewAt) {
        return String.join(
                "\n",
                "policy: engine-test",
                "version: " + version,
                "currency: EUR",
                "time: {out_of_orderness: 30s, allowed_lateness: 10m, max_future_skew: 5m, late: side_output}",
                "events:",
                "  transaction:",
                "    fields: {amount: money, merchant: string, country: string, lat: double, lon: double}",
                "  login: {fields: {device: string, success: bool}}",
                "reference:",
                "  account: {fields: {home_country: string, credit_limit: money}}",
                "features:",
                "  tx_count_1h: {count: transaction, over: 1h}",
                "  tx_sum_1d: {sum: transaction.amount, over: 1d}",
                "  tx_avg_1d: {avg: transaction.amount, over: 1d, prior: true}",
                "  tx_max_1d: {max: transaction.amount, over: 1d}",
                "  merchants_1d: {distinct: transaction.merchant, over: 1d}",
                "  failed_logins_1h: {count: login, where: \"!success\", over: 1h}",
                "  fraud_rate_1d: {rate: transaction.label.fraud, over: 1d, prior: true}",
                "  since_last_s: {elapsed_since: transaction}",
                "  speed_kmh: {geo_speed: transaction}",
                "  ratio: {expr: \"amount / max(tx_avg_1d, 1.0)\"}",
                "summaries:",
                "  hourly: {every: 1h, values: {n: {count: transaction}, total: {sum: transaction.amount}}}",
                "rules:",
                "  - {id: high, when: \"amount > " + reviewAt + ".0\", score: 60, reason: \"high amount\"}",
                "  - {id: abroad, when: \"country != account.home_country\", score: 10}",
                "  - {id: fast, when: \"speed_kmh > 900.0\", score: 20, shadow: true}",
                "decisions: [{decline: 90}, {review: 50}]",
                "alerts: {on: [decline, review], cooldown: 5m}",
                "");
    }
}
