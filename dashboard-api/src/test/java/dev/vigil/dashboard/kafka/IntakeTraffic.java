package dev.vigil.dashboard.kafka;

import static dev.vigil.dashboard.kafka.IntakeHarness.bytes;
import static dev.vigil.dashboard.kafka.IntakeHarness.header;
import static dev.vigil.dashboard.kafka.IntakeHarness.login;
import static dev.vigil.dashboard.kafka.IntakeHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.EventEnvelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A foreign producer that goes on until told to stop: events of a few accounts, each account in one partition of the intake. */
final class IntakeTraffic {
    private static final int ACCOUNTS = 9;

    private final IntakeHarness at;
    private final Map<String, List<String>> sent = new HashMap<>();
    private final Thread thread = new Thread(this::run, "foreign-traffic");
    private volatile boolean stopped;

    IntakeTraffic(IntakeHarness at) {
        this.at = at;
        thread.start();
    }

    private void run() {
        for (int i = 0; !stopped; i++) {
            String account = "acc-" + i % ACCOUNTS;
            String id = "e" + i;
            var unused = at.foreign.send(new ProducerRecord<>(
                    at.kafka.topics().intake(), i % ACCOUNTS % 2, null, bytes(login(id, account))));
            sent.computeIfAbsent(account, a -> new ArrayList<>()).add(id);
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Stops, and waits until the intake topic has everything. */
    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
        at.foreign.flush();
    }

    long sentCount() {
        return sent.values().stream().mapToLong(List::size).sum();
    }

    /** How many different events the log has by now. */
    long inLog() {
        return new HashSet<>(IntakeHarness.ids(at.log())).size();
    }

    /**
     * Nothing lost, nothing invented; of each account the first occurrences in the order in which they were sent; what is there
     * again is the same, byte for byte.
     *
     * @return how many records of the log are repeats
     */
    long check() {
        Map<String, List<String>> arrived = new HashMap<>();
        Map<String, String> contents = new HashMap<>();
        long repeats = 0;
        for (ConsumerRecord<byte[], byte[]> record : at.log()) {
            String account = text(record.key());
            String id = String.valueOf(header(record, EventEnvelope.ID_HEADER));
            String content = account + record.headers() + text(record.value());
            String before = contents.putIfAbsent(id, content);
            if (before == null) {
                arrived.computeIfAbsent(account, a -> new ArrayList<>()).add(id);
            } else {
                assertThat(content).isEqualTo(before);
                repeats++;
            }
        }
        assertThat(arrived).isEqualTo(sent);
        assertThat(at.letters()).isEmpty();
        Set<Integer> partitions = new HashSet<>();
        at.log().forEach(record -> partitions.add(record.partition()));
        assertThat(partitions).as("the accounts are spread over the log").hasSize(2);
        return repeats;
    }
}
