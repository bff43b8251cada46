package dev.vigil.launcher;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.config.OneLine;
import dev.vigil.event.Json;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseAction.Kind;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What all subcommands of {@code vigil cases} share that act. */
final class CaseActing {
    @Mixin
    private CaseService service = new CaseService();

    @Parameters(index = "0", paramLabel = "ID", description = "As 'vigil cases list' prints it.")
    private String caseId;

    @Option(names = "--by", paramLabel = "NAME", description = "Who does it (default: the user of this machine).")
    private @Nullable String by;

    @Option(
            names = "--if-revision",
            paramLabel = "N",
            description = "Do nothing if the case has another revision by now.")
    private @Nullable Long ifRevision;

    @Option(
            names = "--action-id",
            paramLabel = "ID",
            description = "Of the action, so that a retry with the same one counts once (default: a new one).")
    private @Nullable String actionId;

    /** @param more puts what the kind of action needs */
    int act(Kind kind, Consumer<ObjectNode> more) {
        Logging.quiet();
        boolean isTable = service.isTable();
        ObjectNode action = Json.mapper().createObjectNode();
        action.put("action", kind.label());
        action.put("by", by == null ? System.getProperty("user.name") : by);
        if (ifRevision != null) {
            action.put("if_revision", ifRevision);
        }
        more.accept(action);
        String id = actionId == null ? UUID.randomUUID().toString() : actionId;
        Optional<AlertCase> now = service.act(caseId, action, id);
        if (!isTable) {
            service.printJson(now.<Object>map(c -> c)
                    .orElse(Json.mapper()
                            .createObjectNode()
                            .put("action_id", id)
                            .put("case_id", caseId)));
        } else {
            service.print(now.map(CaseText::line)
                            .orElse("stored as action " + OneLine.of(id) + "; alerting has not taken it yet")
                    + System.lineSeparator());
        }
        return 0;
    }
}
