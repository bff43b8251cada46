package dev.vigil.cdc.debezium;

import dev.vigil.cdc.debezium.LogReader.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What the crash suite found in the log so far: it reads on from where it was, holds each payment against what the writer
 * committed, and keeps of it only what a repeat is compared with. One thread.
 */
final class CrashLog {

    /** What a repeat has to say again. */
    private record Seen(String data, String time) {}

    private final LogReader log;
    private final CrashWriter writer;
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Map<Long, Seen> payments = new HashMap<>();
    private final Map<String, Long> lastByAccountAndTransaction = new HashMap<>();
    private final Map<String, String> homeCountries = new HashMap<>();
    private long recordCount;
    private long repeatCount;

    CrashLog(LogReader log, CrashWriter writer) {
        this.log = log;
        this.writer = writer;
    }

    /** @param stateWasLost from then on an account may be the one that the payment's card has by now */
    void readOn(boolean stateWasLost) {
        List<Entry> entries = log.eventsFrom(positions);
        recordCount += entries.size();
        for (Entry entry : entries) {
            switch (entry.type()) {
                case "payment" -> check(entry, stateWasLost);
                case "vigil.reference.account" ->
                    homeCountries.put(
                            String.valueOf(entry.key()),
                            entry.data() == null
                                    ? ""
                                    : String.valueOf(entry.data().get("home_country")));
                default -> {}
            }
        }
    }

    private void check(Entry entry, boolean stateWasLost) {
        long id = Long.parseLong(entry.id());
        CrashWriter.Payment payment = writer.payments.get(id);
        if (payment == null) {
            throw new AssertionError("expected committed payments only, found " + entry);
        }
        List<String> accounts = writer.accountsSince(payment);
        boolean isItsAccount =
                stateWasLost ? accounts.contains(entry.key()) : accounts.get(0).equals(entry.key());
        if (!isItsAccount || !payment.amount().equals(entry.field("amount"))) {
            throw new AssertionError("expected " + payment + ", found " + entry);
        }
        Seen seen = new Seen(String.valueOf(entry.data()), entry.time());
        Seen earlier = payments.putIfAbsent(id, seen);
        if (earlier != null) {
            repeatCount++;
            if (!earlier.equals(seen)) {
                throw new AssertionError("expected a repeat to be equal to " + earlier + ", found " + entry);
            }
            return;
        }
        Long previous = lastByAccountAndTransaction.put(entry.key() + " " + payment.transaction(), id);
        if (previous != null && previous > id) {
            throw new AssertionError("expected the order within a transaction, found " + id + " after " + previous);
        }
    }

    /** Different ones. */
    int paymentCount() {
        return payments.size();
    }

    /** By account, as the log's last reference of each says; empty where it was taken back. */
    Map<String, String> homeCountries() {
        return homeCountries;
    }

    long recordCount() {
        return recordCount;
    }

    long repeatCount() {
        return repeatCount;
    }
}
