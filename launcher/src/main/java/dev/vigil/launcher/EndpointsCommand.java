package dev.vigil.launcher;

import dev.vigil.event.endpoint.EndpointTest;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.EndpointWithSecret;
import dev.vigil.event.endpoint.Endpoints;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vigil endpoints}: where alerts go, looked at and changed while Vigil runs. */
@Command(
        name = "endpoints",
        mixinStandardHelpOptions = true,
        description = "List, make, change, try and delete endpoints that alerts go to, while Vigil runs.",
        subcommands = {
            EndpointsCommand.ListEndpoints.class,
            EndpointsCommand.Show.class,
            EndpointsCommand.Create.class,
            EndpointsCommand.Change.class,
            EndpointsCommand.RotateSecret.class,
            EndpointsCommand.Pause.class,
            EndpointsCommand.Resume.class,
            EndpointsCommand.Delete.class,
            EndpointsCommand.Test.class
        })
final class EndpointsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }

    /** What all of them do: ask the alerting that runs, and print. */
    private abstract static class Action implements Callable<Integer> {
        @Mixin
        private final EndpointsAsk ask = new EndpointsAsk();

        @Override
        public final Integer call() {
            Logging.quiet();
            return ask.ask(this::run);
        }

        abstract int run(Endpoints endpoints);

        final EndpointsAsk console() {
            return ask;
        }
    }

    /** One that is about a single endpoint. */
    private abstract static class OneAction extends Action {
        @Parameters(index = "0", paramLabel = "NAME", description = "Of the endpoint.")
        private String name;

        final String name() {
            return name;
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "List endpoints, by name.")
    static final class ListEndpoints extends Action {
        @Override
        int run(Endpoints endpoints) {
            List<EndpointView> all = endpoints.list();
            console().print(all, () -> table(all));
            return 0;
        }

        private static String table(List<EndpointView> endpoints) {
            if (endpoints.isEmpty()) {
                return "no endpoints" + System.lineSeparator();
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("name", "state", "made by", "channel", "delivered", "pending", "given up", "url"));
            for (EndpointView endpoint : endpoints) {
                rows.add(List.of(
                        endpoint.name(),
                        endpoint.state(),
                        EndpointText.origin(endpoint),
                        endpoint.channel(),
                        String.valueOf(endpoint.delivered()),
                        String.valueOf(endpoint.pending()),
                        String.valueOf(endpoint.givenUp()),
                        endpoint.url()));
            }
            return AlignedTable.of(rows);
        }
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Print everything about an endpoint.")
    static final class Show extends OneAction {
        @Override
        int run(Endpoints endpoints) {
            return console().show(endpoints.show(name()));
        }
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = {
                "Make an endpoint and print the secret that its messages are signed with, which nothing shows again.",
                "Settings are those of the configuration file, without secrets and allow-private."
            })
    static final class Create extends OneAction {
        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "URL",
                description = "Where to; - reads it from a line of the standard input.")
        private @Nullable String url;

        @Option(
                names = "--channel",
                paramLabel = "CHANNEL",
                description = "webhook, slack or pagerduty (default: webhook).")
        private @Nullable String channel;

        @Option(names = "--set", paramLabel = "KEY=VALUE", description = EndpointSettings.DESCRIPTION)
        private Map<String, String> settings = new LinkedHashMap<>();

        @Option(
                names = "--idempotency-key",
                paramLabel = "KEY",
                description = "Asked again with the same key, it is made once and the same secret is printed.")
        private @Nullable String idempotencyKey;

        @Override
        int run(Endpoints endpoints) {
            EndpointSettings definition = new EndpointSettings();
            definition.put("name", name());
            if (url != null) {
                definition.put("url", url);
            }
            if (channel != null) {
                definition.put("channel", channel);
            }
            settings.forEach(definition::put);
            return console().showSecret(endpoints.create(definition.json(), idempotencyKey));
        }
    }

    @Command(
            name = "change",
            mixinStandardHelpOptions = true,
            description = "Change settings of an endpoint; what is not named stays.")
    static final class Change extends OneAction {
        @Spec
        private CommandSpec spec;

        @Option(names = "--set", paramLabel = "KEY=VALUE", description = EndpointSettings.DESCRIPTION)
        private Map<String, String> settings = new LinkedHashMap<>();

        @Option(names = "--unset", paramLabel = "KEY", description = "Take a setting back to its default.")
        private List<String> defaults = new ArrayList<>();

        @Override
        int run(Endpoints endpoints) {
            EndpointSettings changes = new EndpointSettings();
            settings.forEach(changes::put);
            defaults.forEach(changes::unset);
            if (changes.json().isEmpty()) {
                throw new ParameterException(spec.commandLine(), "expected --set or --unset");
            }
            return console().show(endpoints.change(name(), changes.json()));
        }
    }

    @Command(
            name = "rotate-secret",
            mixinStandardHelpOptions = true,
            description = "Give a webhook another secret and print it; messages are signed with both for a while.")
    static final class RotateSecret extends OneAction {
        @Spec
        private CommandSpec spec;

        @Option(
                names = "--overlap",
                paramLabel = "DURATION",
                description = "How long the one so far signs too, as in 12h; 0s: no longer (default: 1d).")
        private @Nullable String overlap;

        @Option(
                names = "--idempotency-key",
                paramLabel = "KEY",
                description = "Asked again with the same key, it is replaced once and the same secret is printed.")
        private @Nullable String idempotencyKey;

        @Override
        int run(Endpoints endpoints) {
            EndpointWithSecret rotated = endpoints.rotateSecret(
                    name(), EndpointSettings.duration(spec, "--overlap", overlap), idempotencyKey);
            return console().showSecret(rotated);
        }
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Send nothing to an endpoint until it is resumed; alerts wait for it.")
    static final class Pause extends OneAction {
        @Override
        int run(Endpoints endpoints) {
            return console().show(endpoints.pause(name()));
        }
    }

    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Send to a paused endpoint again.")
    static final class Resume extends OneAction {
        @Override
        int run(Endpoints endpoints) {
            return console().show(endpoints.resume(name()));
        }
    }

    @Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            description = "Take an endpoint away; alerts that wait for it are given up.")
    static final class Delete extends OneAction {
        @Override
        int run(Endpoints endpoints) {
            endpoints.delete(name());
            console().say("endpoint " + name() + " is deleted");
            return 0;
        }
    }

    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = "Send an endpoint a message that is no alert; exit code 1 unless it is accepted.")
    static final class Test extends OneAction {
        @Override
        int run(Endpoints endpoints) {
            EndpointTest test = endpoints.test(name());
            if (!test.accepted()) {
                throw new CommandFailure("endpoint " + name() + " did not accept " + test.messageId() + " within "
                        + test.durationMs() + " ms: " + test.problem());
            }
            console()
                    .print(
                            test,
                            () -> "endpoint " + name() + " accepted " + test.messageId() + " with " + test.statusCode()
                                    + " after " + test.durationMs() + " ms" + System.lineSeparator());
            return 0;
        }
    }
}
