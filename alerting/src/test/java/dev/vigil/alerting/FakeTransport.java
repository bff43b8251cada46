package dev.vigil.alerting;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Keeps what is sent until the test answers it. */
final class FakeTransport implements Transport {
    private final List<Sent> open = new ArrayList<>();
    private final List<Sent> all = new ArrayList<>();

    record Sent(String endpoint, AlertMessage message, Consumer<Answer> whenDone) {
        void answer(Answer answer) {
            whenDone.accept(answer);
        }
    }

    @Override
    public void use(EndpointConfig endpoint) {}

    @Override
    public void forget(String endpoint) {}

    @Override
    public void send(String endpoint, AlertMessage message, Consumer<Answer> whenDone) {
        Sent sent = new Sent(endpoint, message, whenDone);
        open.add(sent);
        all.add(sent);
    }

    List<Sent> all() {
        return all;
    }

    /** Those sent and not answered, to the endpoint. */
    List<Sent> open(String endpoint) {
        return open.stream().filter(sent -> sent.endpoint().equals(endpoint)).toList();
    }

    void answerAll(Answer answer) {
        List<Sent> answered = List.copyOf(open);
        open.clear();
        answered.forEach(sent -> sent.answer(answer));
    }

    void answerAll(String endpoint, Answer answer) {
        List<Sent> answered = open(endpoint);
        open.removeAll(answered);
        answered.forEach(sent -> sent.answer(answer));
    }

    @Override
    public void close() {
        open.clear();
    }
}
