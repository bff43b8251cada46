package dev.vigil.launcher;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.event.cases.CaseAction.Kind;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The subcommands of {@code vigil cases} that act. Values are checked where the action is taken. */
final class CaseActionCommands {
    private CaseActionCommands() {}

    /** Why, of an action that is no note itself. */
    static final class Reason {
        @Option(names = "--note", paramLabel = "TEXT", description = "Why, for the history.")
        private @Nullable String note;

        void putInto(ObjectNode action) {
            if (note != null) {
                action.put("note", note);
            }
        }
    }

    @Command(name = "acknowledge", mixinStandardHelpOptions = true, description = "Say that somebody looks at a case.")
    static final class Acknowledge implements Callable<Integer> {
        @Mixin
        private CaseActing acting = new CaseActing();

        @Mixin
        private Reason reason = new Reason();

        @Override
        public Integer call() {
            return acting.act(Kind.ACKNOWLEDGE, reason::putInto);
        }
    }

    @Command(name = "assign", mixinStandardHelpOptions = true, description = "Give a case to somebody, or to nobody.")
    static final class Assign implements Callable<Integer> {
        @Mixin
        private CaseActing acting = new CaseActing();

        @Mixin
        private Reason reason = new Reason();

        @ArgGroup(multiplicity = "1")
        private Assignee assignee = new Assignee();

        static final class Assignee {
            @Option(names = "--to", paramLabel = "NAME", required = true, description = "To whom.")
            private @Nullable String name;

            @Option(names = "--nobody", required = true, description = "To nobody any more.")
            private boolean nobody;
        }

        @Override
        public Integer call() {
            return acting.act(Kind.ASSIGN, action -> {
                action.put("assignee", assignee.nobody ? null : assignee.name);
                reason.putInto(action);
            });
        }
    }

    @Command(name = "note", mixinStandardHelpOptions = true, description = "Write something into a case's history.")
    static final class Note implements Callable<Integer> {
        @Mixin
        private CaseActing acting = new CaseActing();

        @Parameters(index = "1", paramLabel = "TEXT")
        private String text;

        @Override
        public Integer call() {
            return acting.act(Kind.NOTE, action -> action.put("note", text));
        }
    }

    @Command(
            name = "close",
            mixinStandardHelpOptions = true,
            description = "Close a case. As fraud or legitimate, its events are labelled so.")
    static final class Close implements Callable<Integer> {
        @Mixin
        private CaseActing acting = new CaseActing();

        @Mixin
        private Reason reason = new Reason();

        @Option(
                names = "--as",
                paramLabel = "fraud|legitimate|unsure",
                required = true,
                description = "What it was found to be.")
        private String disposition;

        @Override
        public Integer call() {
            return acting.act(Kind.CLOSE, action -> {
                action.put("disposition", disposition);
                reason.putInto(action);
            });
        }
    }

    @Command(name = "reopen", mixinStandardHelpOptions = true, description = "Take a closed case up again.")
    static final class Reopen implements Callable<Integer> {
        @Mixin
        private CaseActing acting = new CaseActing();

        @Mixin
        private Reason reason = new Reason();

        @Override
        public Integer call() {
            return acting.act(Kind.REOPEN, reason::putInto);
        }
    }

    @Command(
            name = "snooze",
            mixinStandardHelpOptions = true,
            description = "Tell nobody of a case's further alerts for a while, 30 days at most.")
    static final class Snooze implements Callable<Integer> {
        @Mixin
        private CaseActing acting = new CaseActing();

        @Mixin
        private Reason reason = new Reason();

        @ArgGroup(multiplicity = "1")
        private End end = new End();

        static final class End {
            @Option(
                    names = "--for",
                    paramLabel = "DURATION",
                    required = true,
                    description = "As in 2h: from now on, or from the case's last alert where that is later.")
            private @Nullable String lasting;

            @Option(
                    names = "--until",
                    paramLabel = "TIME",
                    required = true,
                    description = "Event time from which on alerts are sent again, RFC 3339.")
            private @Nullable String until;
        }

        @Override
        public Integer call() {
            return acting.act(Kind.SNOOZE, action -> {
                action.put(end.lasting == null ? "until" : "for", end.lasting == null ? end.until : end.lasting);
                reason.putInto(action);
            });
        }
    }

    @Command(name = "unsnooze", mixinStandardHelpOptions = true, description = "End a case's snooze.")
    static final class Unsnooze implements Callable<Integer> {
        @Mixin
        private CaseActing acting = new CaseActing();

        @Mixin
        private Reason reason = new Reason();

        @Override
        public Integer call() {
            return acting.act(Kind.UNSNOOZE, reason::putInto);
        }
    }
}
