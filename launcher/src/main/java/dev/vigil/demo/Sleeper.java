package dev.vigil.demo;

/** How a thread lets time pass; tests let it pass at once. */
@FunctionalInterface
interface Sleeper {
    void sleepMs(long durationMs) throws InterruptedException;
}
