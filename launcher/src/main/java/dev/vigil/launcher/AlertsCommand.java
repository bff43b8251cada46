package dev.vigil.launcher;

import dev.vigil.config.OneLine;
import dev.vigil.event.EventTimes;
import dev.vigil.event.endpoint.FailedDeliveries;
import dev.vigil.event.endpoint.FailedDelivery;
import dev.vigil.event.endpoint.Redelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code vigil alerts}: alerts that an endpoint never took, and delivering them again. */
@Command(
        name = "alerts",
        mixinStandardHelpOptions = true,
        description = "List deliveries of alerts that were given up, deliver them again.",
        subcommands = {AlertsCommand.Failed.class, AlertsCommand.Redeliver.class})
final class AlertsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }

    @Command(
            name = "failed",
            mixinStandardHelpOptions = true,
            description = "List deliveries that were given up and not accepted since, the latest first.")
    static final class Failed implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private final EndpointsAsk ask = new EndpointsAsk();

        @Option(names = "--endpoint", paramLabel = "NAME", description = "To this endpoint alone.")
        private @Nullable String endpoint;

        @Option(names = "--from", paramLabel = "TIME", description = "Given up at or after this, RFC 3339.")
        private @Nullable String from;

        @Option(names = "--to", paramLabel = "TIME", description = "Given up before this, RFC 3339.")
        private @Nullable String to;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "Most to list (default: ${DEFAULT-VALUE}).")
        private int limit;

        @Override
        public Integer call() {
            Logging.quiet();
            long fromMs = TimeOption.ms(spec, "--from", from, 0);
            long toMs = TimeOption.ms(spec, "--to", to, Long.MAX_VALUE);
            return ask.ask(endpoints -> {
                FailedDeliveries failed = endpoints.failed(endpoint, fromMs, toMs, limit);
                ask.print(failed, () -> table(failed));
                return 0;
            });
        }

        private static String table(FailedDeliveries failed) {
            if (failed.total() == 0) {
                return "no deliveries were given up" + System.lineSeparator();
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("given up", "endpoint", "alert", "account", "attempts", "reason"));
            for (FailedDelivery delivery : failed.deliveries()) {
                rows.add(List.of(
                        EventTimes.format(delivery.givenUpAtMs() * 1_000),
                        delivery.endpoint(),
                        OneLine.of(delivery.alertId()),
                        OneLine.of(delivery.account()),
                        String.valueOf(delivery.attempts()),
                        delivery.reason() == null ? "" : OneLine.of(delivery.reason())));
            }
            int more = failed.total() - failed.deliveries().size();
            return AlignedTable.of(rows)
                    + (more == 0
                            ? ""
                            : more + " more; --limit lists more, --from and --to others" + System.lineSeparator());
        }
    }

    @Command(
            name = "redeliver",
            mixinStandardHelpOptions = true,
            description = {
                "Deliver again what was given up for an endpoint and not accepted since, with the same ids.",
                "What is already on its way again is left alone."
            })
    static final class Redeliver implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private final EndpointsAsk ask = new EndpointsAsk();

        @Option(names = "--endpoint", required = true, paramLabel = "NAME", description = "To this endpoint.")
        private String endpoint;

        @Option(
                names = "--from",
                required = true,
                paramLabel = "TIME",
                description = "Given up at or after this, RFC 3339.")
        private String from;

        @Option(
                names = "--to",
                paramLabel = "TIME",
                description = "Given up before this, RFC 3339 (default: until now).")
        private @Nullable String to;

        @Option(names = "--dry-run", description = "Only say what would be delivered again.")
        private boolean dryRun;

        @Override
        public Integer call() {
            Logging.quiet();
            long fromMs = TimeOption.ms(spec, "--from", from, 0);
            long toMs = TimeOption.ms(spec, "--to", to, Long.MAX_VALUE);
            return ask.ask(endpoints -> {
                Redelivery redelivery = endpoints.redeliver(endpoint, fromMs, toMs, dryRun);
                ask.print(redelivery, () -> text(redelivery) + System.lineSeparator());
                return 0;
            });
        }

        private static String text(Redelivery redelivery) {
            if (redelivery.dryRun()) {
                return redelivery.found() + " would be delivered again";
            }
            return redelivery.queued() + " of " + redelivery.found() + " are delivered again"
                    + (redelivery.waiting() == 0 ? "" : ", " + redelivery.waiting() + " already are")
                    + (redelivery.gone() == 0
                            ? ""
                            : ", of " + redelivery.gone() + " the topic no longer has the alert");
        }
    }
}
