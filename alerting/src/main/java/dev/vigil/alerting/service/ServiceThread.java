package dev.vigil.alerting.service;

import java.util.function.Consumer;

/** A named thread that repeats a step until it is told to stop. What the step throws ends it and is reported. */
final class ServiceThread {
    private final Thread thread;
    private volatile boolean stopping;

    /** Something to do again and again. */
    @FunctionalInterface
    interface Step {
        void run() throws InterruptedException;
    }

    /** @param onFailure gets what a step threw, unless the thread was being stopped */
    ServiceThread(String name, Step step, Consumer<RuntimeException> onFailure) {
        this.thread = new Thread(() -> repeat(step, onFailure), name);
        thread.setDaemon(true);
    }

    private void repeat(Step step, Consumer<RuntimeException> onFailure) {
        try {
            while (!stopping) {
                step.run();
            }
        } catch (InterruptedException e) {
            // Only stopNow interrupts; the step leaves nothing half done.
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (!stopping) {
                onFailure.accept(e);
            }
        }
    }

    void start() {
        thread.start();
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    /** The step under way is the last. */
    void stop() {
        stopping = true;
    }

    /** Breaks off the step under way too. */
    void stopNow() {
        stopping = true;
        thread.interrupt();
    }

    /** Waits for the end. @return whether it came within this time */
    boolean join(long timeoutMs) {
        boolean interrupted = false;
        try {
            if (thread.isAlive()) {
                thread.join(timeoutMs);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
