package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.config.OneLine;
import dev.vigil.event.Json;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CasePage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the subcommands of {@code vigil cases} ask, and how they print what they are told. */
final class CaseService {
    private static final String PATH = "/api/v1/cases";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
    private @Nullable Path config;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Dashboard to ask (default: the configuration's port on this machine).")
    private @Nullable URI url;

    @Option(
            names = "--format",
            paramLabel = "table|json",
            defaultValue = "table",
            description = "Default: ${DEFAULT-VALUE}.")
    private String format;

    /** @throws ParameterException if it is neither table nor json */
    boolean isTable() {
        return switch (format) {
            case "table" -> true;
            case "json" -> false;
            default ->
                throw new ParameterException(spec.commandLine(), "--format: expected table or json, found " + format);
        };
    }

    CasePage list(Map<String, String> parameters) {
        StringBuilder query = new StringBuilder();
        parameters.forEach((name, value) -> query.append(query.isEmpty() ? '?' : '&')
                .append(name)
                .append('=')
                .append(encoded(value)));
        return read(answer(vigil().get(PATH + query)), CasePage.class);
    }

    AlertCase find(String caseId) {
        return read(answer(vigil().get(PATH + "/" + encoded(caseId))), AlertCase.class);
    }

    /** The case afterwards; empty if the action is stored and not taken yet. */
    Optional<AlertCase> act(String caseId, ObjectNode action, String actionId) {
        RunningVigil.Reply reply = vigil().post(
                        PATH + "/" + encoded(caseId) + "/actions", Json.encode(action), "Idempotency-Key", actionId);
        try {
            RunningVigil.Answer answer = answer(reply);
            return answer.status() == 202 ? Optional.empty() : Optional.of(read(answer, AlertCase.class));
        } catch (CommandFailure e) {
            String next = whatNext(reply, caseId, actionId);
            String why = String.valueOf(e.getMessage());
            throw new CommandFailure(next.isEmpty() || why.endsWith(".") ? why + next : why + "." + next);
        }
    }

    /** Where it may have been stored all the same, it is to be sent again under its id. */
    private static String whatNext(RunningVigil.Reply reply, String caseId, String actionId) {
        int status = reply.answer().map(RunningVigil.Answer::status).orElse(0);
        return switch (status) {
            case 409 -> " 'vigil cases show " + OneLine.of(caseId) + "' shows how it stands.";
            case 404 -> " 'vigil cases list' lists those there are.";
            case 429, 503 -> again(actionId);
            default -> reply.isBusy() ? again(actionId) : "";
        };
    }

    private static String again(String actionId) {
        return " With --action-id " + OneLine.of(actionId) + " it can be sent again and counts once.";
    }

    private RunningVigil vigil() {
        boolean isHttp = url == null
                || url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()));
        if (!isHttp) {
            throw new ParameterException(
                    spec.commandLine(), "--url: expected an address such as http://127.0.0.1:8080, found " + url);
        }
        return RunningVigil.of(CommandConfig.load(config).values(), url);
    }

    private static RunningVigil.Answer answer(RunningVigil.Reply reply) {
        RunningVigil.Answer answer = reply.answer()
                .orElseThrow(
                        () -> new CommandFailure(reply.why() + (reply.isBusy() ? "" : " --url names another address")));
        if (answer.status() != 200 && answer.status() != 202) {
            JsonNode body = answer.body();
            String why = body.path("detail").asText(body.path("title").asText("HTTP " + answer.status()));
            throw new CommandFailure(OneLine.of(why));
        }
        return answer;
    }

    private static <T> T read(RunningVigil.Answer answer, Class<T> type) {
        try {
            return Json.mapper().treeToValue(answer.body(), type);
        } catch (IOException e) {
            throw new CommandFailure("the answer from " + answer.address() + " is no case");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    /** As JSON that does nothing to a terminal. */
    void printJson(Object value) {
        try {
            print(visible(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value)) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Between strings JSON has no such characters but line ends, and within them escapes mean the same. */
    private static String visible(String json) {
        StringBuilder text = new StringBuilder(json.length());
        json.codePoints().mapToObj(Character::toString).forEach(character -> {
            boolean isShown = character.equals("\n") || character.equals("\r");
            if (isShown || OneLine.of(character).equals(character)) {
                text.append(character);
            } else {
                character.chars().forEach(unit -> text.append(String.format("\\u%04x", unit)));
            }
        });
        return text.toString();
    }
}
