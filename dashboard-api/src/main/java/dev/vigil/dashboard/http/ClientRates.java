package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.RateLimitConfig;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many events each client may still send. Knows so many clients at most and forgets those first that came the longest ago;
 * of IPv6 the 64 leading bits are a client, since one has a network of its own. Safe for any thread.
 */
final class ClientRates {
    private static final int MAX_CLIENTS = 10_000;
    private static final int IPV6_CLIENT_BYTES = 8;

    private final RateLimitConfig config;
    private final Map<ByteBuffer, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Bucket> eldest) {
            return size() > MAX_CLIENTS;
        }
    };

    ClientRates(RateLimitConfig config) {
        this.config = config;
    }

    /** @throws ProblemException 429 with the seconds to wait if the client has sent too much */
    void take(InetAddress client, int events) {
        if (config.eventsPerSecond() == 0 || events == 0) {
            return;
        }
        ConsumptionProbe probe = bucket(client).tryConsumeAndReturnRemaining(events);
        if (!probe.isConsumed()) {
            throw new ProblemException(
                    Problem.of(
                            429,
                            "rate-limited",
                            "Too many events",
                            "This client has sent more than " + config.eventsPerSecond()
                                    + " events per second; send these again later."),
                    seconds(probe.getNanosToWaitForRefill()));
        }
    }

    /** Counts what was refused for another reason, which costs as much to read. */
    void takeRefused(InetAddress client, int events) {
        if (config.eventsPerSecond() > 0 && events > 0) {
            bucket(client).tryConsumeAsMuchAsPossible(events);
        }
    }

    private static int seconds(long nanos) {
        return (int) Math.max(1, Duration.ofNanos(nanos).plusNanos(999_999_999).toSeconds());
    }

    private Bucket bucket(InetAddress client) {
        byte[] address = client.getAddress();
        ByteBuffer key = client instanceof Inet6Address
                ? ByteBuffer.wrap(address, 0, IPV6_CLIENT_BYTES)
                : ByteBuffer.wrap(address);
        synchronized (buckets) {
            return buckets.computeIfAbsent(
                    key,
                    k -> Bucket.builder()
                            .addLimit(Bandwidth.builder()
                                    .capacity(config.burst())
                                    .refillGreedy(config.eventsPerSecond(), Duration.ofSeconds(1))
                                    .build())
                            .build());
        }
    }
}
