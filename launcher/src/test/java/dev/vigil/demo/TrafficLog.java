package dev.vigil.demo;

import dev.vigil.demo.bank.Account;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.Payment;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.scoring.LogRecord;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The demo's traffic as the records of one partition of the log, as ingest and intake would write them. */
final class TrafficLog {
    private static final String DATABASE = "/bank/transactions";

    private final LogRecord record = new LogRecord();
    private long nextOffset;

    LogRecord payment(Payment payment, boolean backfill) {
        Map<String, Object> data = new HashMap<>();
        data.put("account_id", payment.accountId());
        data.put("amount", BigDecimal.valueOf(payment.amountMinor(), 2));
        data.put("merchant", payment.merchant().id());
        data.put("terminal", payment.terminal().id());
        data.put("category", payment.merchant().category().code());
        data.put("country", payment.country());
        payment.madeFrom().ifPresent(device -> data.put("device", device));
        payment.terminal().standsAt().ifPresent(place -> {
            data.put("lat", place.latitude());
            data.put("lon", place.longitude());
        });
        return next(
                new EventEnvelope(
                        Long.toString(payment.id()),
                        DATABASE,
                        "transaction",
                        EventTimes.fromEpochMs(payment.eventTimeMs()),
                        payment.accountId(),
                        backfill,
                        Json.encode(data)),
                payment.delivery().dueMs());
    }

    LogRecord login(Login login) {
        Map<String, Object> data = Map.of(
                "account_id", login.accountId(),
                "device", login.device(),
                "ip", login.ip(),
                "success", login.success());
        return next(
                new EventEnvelope(
                        login.id(),
                        LoginEvents.SOURCE,
                        LoginEvents.TYPE,
                        EventTimes.fromEpochMs(login.eventTimeMs()),
                        login.accountId(),
                        false,
                        Json.encode(data)),
                login.delivery().dueMs());
    }

    LogRecord profile(Account account, long nowMs) {
        Map<String, Object> data = Map.of(
                "home_country",
                account.home().country(),
                "opened_at",
                account.openedAt().toString(),
                "credit_limit",
                BigDecimal.valueOf(account.creditLimitMinor(), 2));
        return next(
                new EventEnvelope(
                        account.id(),
                        "/bank/accounts",
                        EventTypes.REFERENCE_PREFIX + "account",
                        EventTimes.fromEpochMs(nowMs),
                        account.id(),
                        true,
                        Json.encode(data)),
                nowMs);
    }

    LogRecord next(EventEnvelope event, long ingestTimeMs) {
        record.begin(nextOffset++, ingestTimeMs, event.subject().getBytes(StandardCharsets.UTF_8), event.data());
        event.headers().forEach(record::header);
        return record;
    }
}
