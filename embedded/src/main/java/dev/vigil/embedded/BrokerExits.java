package dev.vigil.embedded;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when the broker decides to end the JVM. Kafka halts it without a word; here a start that fails becomes an
 * exception, and a later failure (a full disk, say) is logged before the JVM is halted as Kafka wants it.
 *
 * <p>Kafka keeps these procedures in statics, so there is one set per JVM, whatever the number of brokers.
 */
final class BrokerExits {

    private static final Logger log = LoggerFactory.getLogger(BrokerExits.class);

    private final AtomicReference<@Nullable String> failedStart = new AtomicReference<>();
    private volatile boolean starting = true;

    private BrokerExits() {}

    /** Takes over from the moment a broker starts. */
    static BrokerExits install() {
        BrokerExits exits = new BrokerExits();
        Exit.setHaltProcedure(exits::exit);
        Exit.setExitProcedure(exits::exit);
        return exits;
    }

    void started() {
        starting = false;
    }

    /** Why the broker wanted to end the JVM while it started, or null. */
    @Nullable
    String failedStart() {
        return failedStart.get();
    }

    private void exit(int status, @Nullable String message) {
        String reason = message == null ? "status " + status : message;
        if (starting) {
            failedStart.compareAndSet(null, reason);
            return;
        }
        log.error("the embedded Kafka broker failed and ends this process: {}", reason);
        // The log may be on the disk that is full.
        System.err.println("vigil: the embedded Kafka broker failed and ends this process: " + reason);
        Runtime.getRuntime().halt(status);
    }
}
