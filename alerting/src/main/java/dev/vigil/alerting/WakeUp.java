package dev.vigil.alerting;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets one thread rest until another has work for it. A signal that comes before the rest is not lost. */
public final class WakeUp {
    private final Semaphore signals = new Semaphore(0);

    /** From any thread; never blocks. */
    public void signal() {
        signals.release();
    }

    /** Returns at a signal, or after this long. All signals so far count as one. */
    public void await(long timeoutMs) throws InterruptedException {
        if (signals.tryAcquire(Math.max(0, timeoutMs), TimeUnit.MILLISECONDS)) {
            signals.drainPermits();
        }
    }
}
