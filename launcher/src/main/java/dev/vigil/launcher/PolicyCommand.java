package dev.vigil.launcher;

import dev.vigil.engine.kafka.PolicyPublisher;
import dev.vigil.engine.kafka.PolicyRefusedException;
import dev.vigil.event.EventTimes;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.service.kafka.KafkaConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vigil policy}: check, activate, show. */
@Command(
        name = "policy",
        mixinStandardHelpOptions = true,
        description = "Check a policy, activate one, show the active one.",
        subcommands = {PolicyCommand.Check.class, PolicyCommand.Apply.class, PolicyCommand.Show.class})
final class PolicyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }

    @Command(name = "check", mixinStandardHelpOptions = true, description = "Say whether a policy can be used.")
    static final class Check implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE")
        private Path file;

        @Override
        public Integer call() {
            Policy policy = Deployment.readPolicy(file);
            out(spec)
                    .printf(
                            "%s: policy %s version %d is good: %d event types, %d features, %d rules%n",
                            file,
                            policy.name(),
                            policy.version(),
                            policy.events().size(),
                            policy.features().size(),
                            policy.rules().size());
            return 0;
        }
    }

    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description = "Activate a policy: from its record in the log on, it scores.")
    static final class Apply implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
        private @Nullable Path config;

        @Option(names = "--force", description = "Take a lower version than the active one, too: roll back.")
        private boolean force;

        @Parameters(paramLabel = "FILE")
        private Path file;

        @Override
        public Integer call() {
            Logging.quiet();
            Policy policy = Deployment.readPolicy(file);
            VigilConfig loaded = CommandConfig.load(config).requireBroker().values();
            String what = "policy " + policy.name() + " version " + policy.version();
            Optional<Map<Integer, Long>> offsets = apply(loaded.kafka(), policy);
            if (offsets.isEmpty()) {
                out(spec).printf("%s is active already%n", what);
                return 0;
            }
            out(spec)
                    .printf(
                            "activated %s in %d partitions%n",
                            what, loaded.kafka().partitions());
            new FeatureCompleteness(RunningVigil.of(loaded, null))
                    .afterActivation(offsets.get())
                    .forEach(out(spec)::println);
            return 0;
        }

        private Optional<Map<Integer, Long>> apply(KafkaConfig kafka, Policy policy) {
            try {
                return new PolicyPublisher(kafka)
                        .apply(
                                policy,
                                EventTimes.fromEpochMs(SystemClock.INSTANCE.epochMs()),
                                force ? PolicyPublisher.Versions.ANY : PolicyPublisher.Versions.HIGHER);
            } catch (PolicyRefusedException e) {
                throw new CommandFailure(
                        Deployment.placed(file, policy, e) + (e.isRollBack() ? "; --force rolls back" : ""));
            }
        }
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Print the active policy.")
    static final class Show implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
        private @Nullable Path config;

        @Override
        public Integer call() {
            Logging.quiet();
            VigilConfig loaded = CommandConfig.load(config).requireBroker().values();
            String text = new PolicyPublisher(loaded.kafka())
                    .active()
                    .orElseThrow(() -> new CommandFailure("no policy is active; 'vigil policy apply' activates one"));
            out(spec).print(text.endsWith("\n") ? text : text + "\n");
            // As comments, so that what is printed is still the policy.
            new FeatureCompleteness(RunningVigil.of(loaded, null))
                    .shown()
                    .forEach(line -> out(spec).println("# " + line));
            out(spec).flush();
            return 0;
        }
    }

    private static PrintWriter out(CommandSpec spec) {
        return spec.commandLine().getOut();
    }
}
