package dev.vigil.launcher;

import dev.vigil.dashboard.http.RemoteEndpoints;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.EndpointWithSecret;
import dev.vigil.event.endpoint.Endpoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How commands about endpoints find the alerting that runs, and how they print; a mixin of their options. */
final class EndpointsAsk {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
    private @Nullable Path config;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Dashboard or alerting to ask (default: the configuration's ports on this machine).")
    private @Nullable URI url;

    @Option(
            names = "--format",
            paramLabel = "table|json",
            defaultValue = "table",
            description = "Default: ${DEFAULT-VALUE}.")
    private String format;

    /** @throws CommandFailure with the reason that alerting gives, where it refuses */
    int ask(ToIntFunction<Endpoints> question) {
        requireFormat();
        requireHttp();
        Endpoints endpoints = new RemoteEndpoints(
                RunningVigil.addresses(CommandConfig.load(config).values(), url));
        try {
            return question.applyAsInt(endpoints);
        } catch (EndpointRefusedException e) {
            throw new CommandFailure(ExplanationText.printable(String.valueOf(e.getMessage())));
        }
    }

    private void requireFormat() {
        if (!format.equals("table") && !format.equals("json")) {
            throw new ParameterException(spec.commandLine(), "--format: expected table or json, found " + format);
        }
    }

    private void requireHttp() {
        boolean isHttp = url == null
                || url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
        if (!isHttp) {
            throw new ParameterException(
                    spec.commandLine(), "--url: expected an address such as http://127.0.0.1:8080");
        }
    }

    int show(EndpointView endpoint) {
        print(endpoint, () -> EndpointText.of(endpoint));
        return 0;
    }

    int showSecret(EndpointWithSecret made) {
        String secret = made.secret();
        print(
                made,
                () -> EndpointText.of(made.endpoint())
                        + (secret == null ? "" : "secret (not shown again)  " + secret + System.lineSeparator()));
        return 0;
    }

    void print(Object json, Supplier<String> text) {
        PrintWriter out = out();
        out.print(format.equals("json") ? pretty(json) : text.get());
        out.flush();
    }

    void say(String line) {
        PrintWriter out = out();
        out.println(line);
        out.flush();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private static String pretty(Object json) {
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
