package dev.vigil.launcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;

/**
 * Ctrl-C and SIGTERM as a request to stop, which the command's own thread follows; a second one ends the process at once.
 * Not a shutdown hook: libraries have hooks of their own that run beside it, and one would take the database away while
 * the last events still need it.
 */
final class StopSignal {
    private static final int KILLED_BY_USER = 130;

    private final CountDownLatch requested = new CountDownLatch(1);

    private StopSignal() {}

    /** From now on signals are requests. */
    static StopSignal install() {
        StopSignal stop = new StopSignal();
        for (String name : new String[] {"INT", "TERM"}) {
            Signal.handle(new Signal(name), signal -> stop.request());
        }
        return stop;
    }

    private void request() {
        if (isRequested()) {
            Runtime.getRuntime().halt(KILLED_BY_USER);
        }
        requested.countDown();
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** @return whether a stop was requested within that time */
    boolean await(long ms) throws InterruptedException {
        return requested.await(ms, TimeUnit.MILLISECONDS);
    }
}
