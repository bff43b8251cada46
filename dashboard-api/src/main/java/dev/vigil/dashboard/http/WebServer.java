package dev.vigil.dashboard.http;

import dev.vigil.service.ServiceException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.router.JavalinDefaultRoutingApi;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The HTTP server as both the dashboard and a service that runs alone set it up. */
final class WebServer implements AutoCloseable {
    private static final int MAX_THREADS = 128;
    private static final int MIN_THREADS = 8;
    private static final int IDLE_TIMEOUT_MS = 30_000;
    /** Small, so that a client that reads no more is noticed within seconds and not after megabytes. */
    private static final int SEND_BUFFER_BYTES = 128 << 10;

    private static final int MAX_CONNECTIONS = 4_096;

    private final Javalin javalin;
    private final String host;

    private WebServer(Javalin javalin, String host) {
        this.javalin = javalin;
        this.host = host;
    }

    /** A group of routes. */
    @FunctionalInterface
    interface Routes {
        void register(JavalinDefaultRoutingApi routes);
    }

    /**
     * Takes the port and answers requests from then on.
     *
     * @param section of the configuration that names host and port, for complaints
     * @throws ServiceException if the port cannot be had; one line
     */
    static WebServer start(
            HttpConfig config, String section, int maxBodyBytes, MeterRegistry meters, List<Routes> routes) {
        Server server = new Server(threadPool());
        server.setErrorHandler(new Problems.JettyErrors(maxBodyBytes));
        server.setHandler(WholeBodies.handler(maxBodyBytes));
        server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
        ServerConnector connector = connector(server);
        bind(connector, config, section);
        Javalin javalin = Javalin.create(javalinConfig -> {
            configure(javalinConfig, maxBodyBytes);
            javalinConfig.unsafe.jettyInternal.server = server;
            javalinConfig.jetty.addConnector((s, http) -> connector);
            javalinConfig.requestLogger.http(new RequestMeters(meters));
            registerAll(javalinConfig.routes, config, maxBodyBytes, routes);
        });
        try {
            javalin.start();
        } catch (RuntimeException e) {
            javalin.stop();
            throw e;
        }
        return new WebServer(javalin, config.host());
    }

    private static void configure(JavalinConfig config, int maxBodyBytes) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.maxRequestSize = maxBodyBytes;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.http.asyncTimeout = 0;
    }

    private static void registerAll(
            JavalinDefaultRoutingApi api, HttpConfig config, int maxBodyBytes, List<Routes> routes) {
        Problems.register(api, maxBodyBytes);
        api.before(ctx -> SecurityHeaders.forEach(ctx::header));
        api.before(new HostCheck(config));
        for (Routes group : routes) {
            group.register(api);
        }
        Consumer<Integer> problemFor = status -> api.error(status, ctx -> {
            if (ctx.resultInputStream() == null
                    || !Problem.CONTENT_TYPE.equals(ctx.res().getContentType())) {
                Problems.write(ctx, Problem.ofStatus(status));
            }
        });
        List.of(404, 405, 413).forEach(problemFor);
    }

    private static QueuedThreadPool threadPool() {
        QueuedThreadPool pool = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
        pool.setName("dashboard-http");
        return pool;
    }

    private static ServerConnector connector(Server server) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(16 << 10);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setIdleTimeout(IDLE_TIMEOUT_MS);
        connector.setAcceptedSendBufferSize(SEND_BUFFER_BYTES);
        return connector;
    }

    /** Before anything is started, so that a port in use costs one line and leaves nothing behind. */
    private static void bind(ServerConnector connector, HttpConfig config, String section) {
        connector.setHost(config.host());
        connector.setPort(config.port());
        try {
            connector.open();
        } catch (IOException | RuntimeException e) {
            throw new ServiceException(
                    "cannot listen on " + config.host() + ":" + config.port() + ": " + reason(e) + "; set " + section
                            + ".port or " + section + ".host to another",
                    e);
        }
    }

    private static String reason(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof UnknownHostException || cause instanceof java.nio.channels.UnresolvedAddressException) {
            return "no such address on this machine";
        }
        return "Address already in use".equals(cause.getMessage())
                ? "the port is in use by another process"
                : String.valueOf(cause.getMessage());
    }

    int port() {
        return javalin.port();
    }

    String url() {
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    @Override
    public void close() {
        javalin.stop();
    }
}
