package dev.vigil.engine.kafka;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Seeded records of every kind that a log may hold: payments and logins in and out of order, redelivered, too late,
 * labelled, backfilled and broken; reference rows.
 */
final class TestTraffic {
    private static final long START_US = EventTimes.parse("2026-03-01T00:00:00Z");
    private static final long STEP_US = 7_000_000;
    private static final long DAY_US = 86_400_000_000L;
    private static final int ACCOUNT_COUNT = 40;
    /** Payments that may come again or be labelled. */
    private static final int REMEMBERED_COUNT_MAX = 5_000;

    private static final String[] COUNTRIES = {"DE", "FR", "PL"};

    private final Random random;
    private final List<EventEnvelope> sent = new ArrayList<>();
    private long count;

    TestTraffic(long seed) {
        this.random = new Random(seed);
    }

    /** The next records of the stream. */
    List<EventEnvelope> next(int records) {
        List<EventEnvelope> next = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            count++;
            next.add(record());
        }
        return next;
    }

    private EventEnvelope record() {
        String account = "a-" + random.nextInt(ACCOUNT_COUNT);
        long timeUs = START_US + count * STEP_US - random.nextInt(4) * 20_000_000L;
        switch (random.nextInt(40)) {
            case 0 -> {
                return event("transaction", account, timeUs, "{\"amount\": \"no number\"}", false);
            }
            case 1 -> {
                return event("transaction", account, timeUs, "{\"amount\":", false);
            }
            case 2 -> {
                return event("unheard-of", account, timeUs, "{}", false);
            }
            case 3 -> {
                // Now and then too late even to be entered.
                long lateByUs = random.nextInt(6) == 0 ? 3 * DAY_US : 7_200_000_000L;
                return event("transaction", account, timeUs - lateByUs, payment(), false);
            }
            case 4 -> {
                return event("transaction", account, timeUs - 7_200_000_000L, payment(), true);
            }
            case 5, 6 -> {
                return event(
                        EventTypes.REFERENCE_PREFIX + "account",
                        account,
                        timeUs,
                        "{\"home_country\": \"" + country() + "\", \"credit_limit\": 1500}",
                        false);
            }
            case 7, 8, 9 -> {
                return sent.isEmpty() ? login(account, timeUs) : sent.get(random.nextInt(sent.size()));
            }
            case 10 -> {
                return sent.isEmpty() ? login(account, timeUs) : label(timeUs);
            }
            case 11, 12, 13, 14 -> {
                return login(account, timeUs);
            }
            default -> {
                EventEnvelope payment = event("transaction", account, timeUs, payment(), false);
                remember(payment);
                return payment;
            }
        }
    }

    private void remember(EventEnvelope payment) {
        if (sent.size() < REMEMBERED_COUNT_MAX) {
            sent.add(payment);
        } else {
            sent.set(random.nextInt(REMEMBERED_COUNT_MAX), payment);
        }
    }

    private EventEnvelope label(long timeUs) {
        EventEnvelope labelled = sent.get(random.nextInt(sent.size()));
        String data = String.format(
                Locale.ROOT,
                "{\"event_source\": \"%s\", \"event_id\": \"%s\", \"label\": \"fraud\", \"value\": %b}",
                labelled.source(),
                labelled.id(),
                random.nextInt(4) > 0);
        return event(EventTypes.LABEL, labelled.subject(), timeUs, data, false);
    }

    private EventEnvelope login(String account, long timeUs) {
        String data = "{\"device\": \"d-" + random.nextInt(5) + "\", \"success\": " + random.nextBoolean() + "}";
        return event("login", account, timeUs, data, false);
    }

    private String payment() {
        return String.format(
                Locale.ROOT,
                "{\"amount\": \"%d.%02d\", \"merchant\": \"Café %d\", \"country\": \"%s\", \"lat\": %.3f, \"lon\": %.3f}",
                random.nextInt(900),
                random.nextInt(100),
                random.nextInt(12),
                country(),
                40 + random.nextDouble() * 15,
                random.nextDouble() * 20);
    }

    private String country() {
        return COUNTRIES[random.nextInt(COUNTRIES.length)];
    }

    private EventEnvelope event(String type, String account, long timeUs, String data, boolean backfill) {
        return new EventEnvelope(
                type + "-" + count, "/test", type, timeUs, account, backfill, data.getBytes(StandardCharsets.UTF_8));
    }
}
