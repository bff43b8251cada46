package dev.vigil.benchmarks;

import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Events of a stream into the log at a fixed rate, by a thread of its own, until closed; the stream is that thread's meanwhile. */
final class SteadyTraffic implements AutoCloseable {
    private final Rig rig;
    private final CardStream stream;
    private final int rate;
    private final Thread sender = new Thread(this::send, "sender");
    private volatile boolean sending = true;

    private SteadyTraffic(Rig rig, CardStream stream, int rate) {
        this.rig = rig;
        this.stream = stream;
        this.rate = rate;
    }

    /** @param rate events per second */
    static SteadyTraffic start(Rig rig, CardStream stream, int rate) {
        SteadyTraffic traffic = new SteadyTraffic(rig, stream, rate);
        traffic.sender.start();
        return traffic;
    }

    private void send() {
        try (KafkaProducer<byte[], byte[]> producer =
                KafkaClients.producer(rig.kafka(), "benchmark-sender", Map.of())) {
            long startNs = System.nanoTime();
            for (long i = 0; sending; i++) {
                long dueNs = startNs + i * 1_000_000_000 / rate;
                for (long wait = dueNs - System.nanoTime(); wait > 0; wait = dueNs - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                var unused = producer.send(EventRecords.keyed(rig.topics().events(), stream.next()));
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        sending = false;
        sender.join();
    }
}
