package dev.vigil.alerting;

final class InMemoryOutboxTest extends OutboxContract {
    @Override
    protected Outbox open() {
        return new InMemoryOutbox();
    }
}
