package dev.vigil.demo;

import dev.vigil.demo.bank.Login;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts logins to the HTTP intake as batches of CloudEvents; runs on a thread of its own. What the intake cannot take yet
 * (429, any 5xx, no answer) is sent again with the same ids; any other refusal is counted and passed over.
 */
final class LoginPoster {
    private static final Logger LOG = LoggerFactory.getLogger(LoginPoster.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private final URI target;
    private final HttpClient client;
    private final Lane<Login> lane;
    private final TrafficCounts counts;
    private final Sleeper sleeper;

    /** @param executor runs the client's callbacks, so that their thread has a name */
    LoginPoster(URI intake, Lane<Login> lane, TrafficCounts counts, Sleeper sleeper, ExecutorService executor) {
        this.target = intake.resolve("/api/v1/events");
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(executor)
                .build();
        this.lane = lane;
        this.counts = counts;
        this.sleeper = sleeper;
    }

    void run() throws InterruptedException {
        for (List<Login> batch = lane.takeBatch(); !batch.isEmpty(); batch = lane.takeBatch()) {
            boolean settled = false;
            try {
                post(batch);
                settled = true;
            } finally {
                if (!settled) {
                    counts.abandoned(batch.size());
                }
            }
        }
    }

    private void post(List<Login> batch) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(target)
                .header("Content-Type", LoginEvents.BATCH_TYPE)
                .timeout(ANSWER_TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(LoginEvents.encode(batch)))
                .build();
        BackOff backOff = new BackOff(sleeper);
        while (true) {
            try {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                int status = response.statusCode();
                if (status >= 200 && status < 300) {
                    counts.accepted(batch);
                    return;
                }
                if (status != 429 && status < 500) {
                    LOG.warn("The intake at {} refused {} logins with status {}", target, batch.size(), status);
                    counts.refused(batch.size());
                    return;
                }
                counts.intakeRetry();
                backOff.pause(retryAfterMs(response));
            } catch (IOException e) {
                LOG.warn("The intake at {} did not answer, trying again: {}", target, e.toString());
                counts.intakeRetry();
                backOff.pause(0);
            }
        }
    }

    private static long retryAfterMs(HttpResponse<String> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,6}"))
                .map(value -> Long.parseLong(value) * 1_000)
                .orElse(0L);
    }
}
