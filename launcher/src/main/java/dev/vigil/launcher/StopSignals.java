package dev.vigil.launcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;

/**
 * SIGTERM and SIGINT as a request to stop: the process closes its services and ends with the exit code of its command. A
 * shutdown hook alone could not do that, as the JVM then ends with the signal's code whatever the hook achieved. The
 * second signal ends the process at once.
 */
final class StopSignals {
    private static final int SIGNAL_EXIT_BASE = 128;

    private final CountDownLatch requested = new CountDownLatch(1);

    /** From now on the process no longer ends by itself at a signal. */
    static StopSignals install() {
        StopSignals signals = new StopSignals();
        Signal.handle(new Signal("TERM"), signals::onSignal);
        Signal.handle(new Signal("INT"), signals::onSignal);
        return signals;
    }

    private void onSignal(Signal signal) {
        if (requested.getCount() == 0) {
            Runtime.getRuntime().halt(SIGNAL_EXIT_BASE + signal.getNumber());
        }
        requested.countDown();
    }

    /** @return true as soon as a stop is requested, false after that time */
    boolean await(long ms) throws InterruptedException {
        return requested.await(ms, TimeUnit.MILLISECONDS);
    }
}
