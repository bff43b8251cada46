package dev.vigil.alerting.http;

import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.EndpointTls;
import dev.vigil.service.EpochClock;
import java.io.IOException;
import java.net.Proxy;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;

/** The client of one endpoint. Safe for any thread. */
final class EndpointClient implements AutoCloseable {
    private static final int NANOS_PER_MS = 1_000_000;

    private final EndpointConfig endpoint;
    private final HttpUrl url;
    private final ChannelRequests requests;
    private final EpochClock clock;
    private final ExecutorService threads;
    private final OkHttpClient client;

    EndpointClient(EndpointConfig endpoint, EpochClock clock, Dns dns) {
        this.endpoint = endpoint;
        this.url = HttpUrl.get(endpoint.url().text());
        this.requests = ChannelRequests.of(endpoint.channel());
        this.clock = clock;
        this.threads = threads(endpoint.name());
        OkHttpClient.Builder builder = new OkHttpClient.Builder()
                .dispatcher(dispatcher(threads))
                .connectionPool(new ConnectionPool(endpoint.maxInFlight(), 5, TimeUnit.MINUTES))
                .connectTimeout(endpoint.connectTimeout())
                .readTimeout(endpoint.timeout())
                .writeTimeout(endpoint.timeout())
                .callTimeout(endpoint.timeout())
                .followRedirects(false)
                .followSslRedirects(false)
                .proxy(Proxy.NO_PROXY)
                .dns(dns);
        if (!endpoint.allowPrivate()) {
            builder.dns(AddressGuard.publicOnly(dns)).socketFactory(AddressGuard.publicOnlySockets());
        }
        if (!endpoint.tls().equals(EndpointTls.USUAL)) {
            HandshakeCertificates certificates = TlsFiles.read(endpoint);
            builder.sslSocketFactory(certificates.sslSocketFactory(), certificates.trustManager());
        }
        this.client = builder.build();
    }

    /** As many as calls are under way; idle ones end. */
    private static ExecutorService threads(String endpointName) {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "webhook-" + endpointName + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Without a limit of its own: the caller keeps to the endpoint's, and nothing waits in here. */
    private static Dispatcher dispatcher(ExecutorService threads) {
        Dispatcher dispatcher = new Dispatcher(threads);
        dispatcher.setMaxRequests(Integer.MAX_VALUE);
        dispatcher.setMaxRequestsPerHost(Integer.MAX_VALUE);
        return dispatcher;
    }

    EndpointConfig endpoint() {
        return endpoint;
    }

    void send(AlertMessage message, Consumer<Answer> whenDone) {
        Request request = requests.request(message, clock.epochMs())
                .url(url)
                .header("user-agent", "vigil")
                .build();
        client.newCall(request).enqueue(new AnswerCallback(whenDone));
    }

    private final class AnswerCallback implements Callback {
        private final Consumer<Answer> whenDone;
        private final long startNs = System.nanoTime();

        AnswerCallback(Consumer<Answer> whenDone) {
            this.whenDone = whenDone;
        }

        @Override
        public void onResponse(Call call, Response response) {
            Answer answer = Answer.status(
                    response.code(), RetryAfter.parseMs(response.header("Retry-After"), clock.epochMs()), elapsedMs());
            whenDone.accept(answer);
            // Drops what is left of the body, for a moment at most, so that the connection can be used again.
            response.close();
        }

        @Override
        public void onFailure(Call call, IOException e) {
            whenDone.accept(Answer.failure(AttemptProblem.describe(e), elapsedMs()));
        }

        private long elapsedMs() {
            return (System.nanoTime() - startNs) / NANOS_PER_MS;
        }
    }

    /** No call begins any more; those under way end by themselves, within their time-out. */
    void retire() {
        threads.shutdown();
        client.connectionPool().evictAll();
    }

    @Override
    public void close() {
        client.dispatcher().cancelAll();
        threads.shutdown();
        client.connectionPool().evictAll();
    }
}
