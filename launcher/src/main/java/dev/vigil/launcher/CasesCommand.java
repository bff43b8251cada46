package dev.vigil.launcher;

import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CasePage;
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

/** {@code vigil cases}: alerts that belong together, and what people do about them. */
@Command(
        name = "cases",
        mixinStandardHelpOptions = true,
        description = "List cases, show one, act on one.",
        subcommands = {
            CasesCommand.ListCases.class,
            CasesCommand.Show.class,
            CaseActionCommands.Acknowledge.class,
            CaseActionCommands.Assign.class,
            CaseActionCommands.Note.class,
            CaseActionCommands.Close.class,
            CaseActionCommands.Reopen.class,
            CaseActionCommands.Snooze.class,
            CaseActionCommands.Unsnooze.class
        })
final class CasesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "List cases, the one with the latest alert first.")
    static final class ListCases implements Callable<Integer> {
        private static final int MOST = 10_000;
        private static final int PAGE = 200;

        @Spec
        private CommandSpec spec;

        @Mixin
        private CaseService service = new CaseService();

        @Option(
                names = "--state",
                paramLabel = "open|closed|all",
                defaultValue = "open",
                description = "Default: ${DEFAULT-VALUE}, those that are not closed.")
        private String state;

        @Option(names = "--assignee", paramLabel = "NAME", description = "Of this assignee alone.")
        private @Nullable String assignee;

        @Option(names = "--account", paramLabel = "ACCOUNT", description = "Of this account alone.")
        private @Nullable String account;

        @Option(names = "--rule", paramLabel = "RULE", description = "Those with an alert that this rule hit.")
        private @Nullable String rule;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "Most to list (default: ${DEFAULT-VALUE}).")
        private int limit;

        @Override
        public Integer call() {
            Logging.quiet();
            boolean isTable = service.isTable();
            if (limit < 1 || limit > MOST) {
                throw new ParameterException(
                        spec.commandLine(), "--limit: expected an integer from 1 to " + MOST + ", found " + limit);
            }
            Map<String, String> parameters = parameters();
            List<AlertCase> cases = new ArrayList<>();
            String next = null;
            do {
                parameters.put("limit", String.valueOf(Math.min(PAGE, limit - cases.size())));
                if (next != null) {
                    parameters.put("after", next);
                }
                CasePage page = service.list(parameters);
                cases.addAll(page.cases());
                next = page.next();
            } while (next != null && cases.size() < limit);
            if (isTable) {
                service.print(CaseText.table(cases));
                service.print(next == null ? "" : "there are more; --limit lists more" + System.lineSeparator());
            } else {
                service.printJson(cases);
            }
            return 0;
        }

        private Map<String, String> parameters() {
            Map<String, String> parameters = new LinkedHashMap<>();
            switch (state) {
                case "open", "closed" -> parameters.put("state", state);
                case "all" -> {}
                default ->
                    throw new ParameterException(
                            spec.commandLine(), "--state: expected open, closed or all, found " + state);
            }
            put(parameters, "assignee", assignee);
            put(parameters, "account", account);
            put(parameters, "rule", rule);
            return parameters;
        }

        private static void put(Map<String, String> parameters, String name, @Nullable String value) {
            if (value != null) {
                parameters.put(name, value);
            }
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Print a case with its latest alerts and its history.")
    static final class Show implements Callable<Integer> {
        @Mixin
        private CaseService service = new CaseService();

        @Parameters(paramLabel = "ID", description = "As 'vigil cases list' prints it.")
        private String caseId;

        @Override
        public Integer call() {
            Logging.quiet();
            boolean isTable = service.isTable();
            AlertCase shown = service.find(caseId);
            if (isTable) {
                service.print(CaseText.view(shown));
            } else {
                service.printJson(shown);
            }
            return 0;
        }
    }
}
