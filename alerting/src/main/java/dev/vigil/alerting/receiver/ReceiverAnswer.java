package dev.vigil.alerting.receiver;

import java.time.Duration;
import java.util.Map;

/**
 * How a receiver answers a genuine message.
 *
 * @param delay before the answer
 */
public record ReceiverAnswer(int statusCode, Map<String, String> headers, Duration delay) {
    public static final ReceiverAnswer ACCEPT = status(204);

    public ReceiverAnswer {
        headers = Map.copyOf(headers);
    }

    public static ReceiverAnswer status(int statusCode) {
        return new ReceiverAnswer(statusCode, Map.of(), Duration.ZERO);
    }

    public ReceiverAnswer withHeader(String name, String value) {
        return new ReceiverAnswer(statusCode, Map.of(name, value), delay);
    }

    public ReceiverAnswer after(Duration newDelay) {
        return new ReceiverAnswer(statusCode, headers, newDelay);
    }

    boolean accepts() {
        return statusCode >= 200 && statusCode < 300;
    }
}
