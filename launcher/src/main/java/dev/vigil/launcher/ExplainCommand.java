package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vigil explain}: what a decision was made of. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Say why an event was scored as it was: rules, feature values, contributing events.")
final class ExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
    private @Nullable Path config;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Dashboard or engine to ask (default: the configuration's ports on this machine).")
    private @Nullable URI url;

    @Option(names = "--source", paramLabel = "SOURCE", description = "The event's source, if the id is not enough.")
    private @Nullable String source;

    @Option(
            names = "--format",
            paramLabel = "table|json",
            defaultValue = "table",
            description = "Default: ${DEFAULT-VALUE}.")
    private String format;

    @Parameters(index = "0", paramLabel = "ACCOUNT")
    private String account;

    @Parameters(index = "1", paramLabel = "EVENT_ID")
    private String eventId;

    @Override
    public Integer call() {
        Logging.quiet();
        boolean isTable = isTable();
        requireHttp();
        RunningVigil vigil = RunningVigil.of(CommandConfig.load(config).values(), url);
        JsonNode explanation = ask(vigil);
        PrintWriter out = spec.commandLine().getOut();
        out.print(isTable ? new ExplanationText(explanation).text() : pretty(explanation));
        out.flush();
        return 0;
    }

    private boolean isTable() {
        return switch (format) {
            case "table" -> true;
            case "json" -> false;
            default ->
                throw new ParameterException(spec.commandLine(), "--format: expected table or json, found " + format);
        };
    }

    private void requireHttp() {
        boolean isHttp = url == null
                || url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
        if (!isHttp) {
            throw new ParameterException(
                    spec.commandLine(), "--url: expected an address such as http://127.0.0.1:8080, found " + url);
        }
    }

    private JsonNode ask(RunningVigil vigil) {
        String query = "/api/v1/events/explain?account=" + encoded(account) + "&id=" + encoded(eventId)
                + (source == null ? "" : "&source=" + encoded(source));
        RunningVigil.Reply reply = vigil.get(query);
        RunningVigil.Answer answer = reply.answer()
                .orElseThrow(
                        () -> new CommandFailure(reply.why() + (reply.isBusy() ? "" : " --url names another address")));
        if (answer.status() != 200) {
            JsonNode body = answer.body();
            String why = body.path("detail").asText(body.path("title").asText("HTTP " + answer.status()));
            throw new CommandFailure(ExplanationText.printable(why));
        }
        return answer.body();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String pretty(JsonNode explanation) {
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(explanation) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
