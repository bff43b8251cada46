package dev.vigil.scoring;

import dev.vigil.event.EventTimes;

/** Pieces of policies and times that tests share. */
final class TestPolicies {
    /** 2026-03-01T00:00:00Z. */
    static final long T0 = EventTimes.parse("2026-03-01T00:00:00Z");

    static final long MS = 1_000;
    static final long SECOND = 1_000_000;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;
    static final long DAY = 24 * HOUR;

    private TestPolicies() {}

    /** A policy over {@code tx} (amount, merchant, ok, lat, lon) and {@code login} (ok) with the given sections. */
    static String policy(String sections) {
        return """
                policy: test
                version: 1
                currency: EUR
                time: {out_of_orderness: 10s, allowed_lateness: 1h, max_future_skew: 5m, late: side_output}
                events:
                  tx: {fields: {amount: money, merchant: string, ok: bool, lat: double, lon: double}}
                  login: {fields: {ok: bool}}
                """ + sections;
    }

    /** A payment at {@link #T0} and so many microseconds. */
    static TestRecord tx(String id, long afterUs, String json) {
        return TestRecord.event("tx", id, T0 + afterUs, json);
    }
}
