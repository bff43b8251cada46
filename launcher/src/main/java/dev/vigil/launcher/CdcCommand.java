package dev.vigil.launcher;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.TableMapping;
import dev.vigil.cdc.debezium.SnapshotRequests;
import dev.vigil.config.NearestName;
import dev.vigil.service.ServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vigil cdc}: what one asks of change capture while it runs. */
@Command(
        name = "cdc",
        mixinStandardHelpOptions = true,
        description = "Ask change capture for something.",
        subcommands = CdcCommand.Snapshot.class)
final class CdcCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }

    @Command(
            name = "snapshot",
            mixinStandardHelpOptions = true,
            description =
                    "Read rows of a captured table again, beside the stream, as backfill. Run it on the machine of"
                            + " cdc-ingest, which does it now or at its next start.")
    static final class Snapshot implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
        private @Nullable Path config;

        @Option(names = "--where", paramLabel = "SQL", description = "Only rows for which this holds.")
        private @Nullable String where;

        @Parameters(paramLabel = "TABLE", description = "schema.table, one that is mapped.")
        private String table;

        @Override
        public Integer call() {
            Logging.quiet();
            VigilConfig loaded = CommandConfig.load(config).values();
            CdcConfig cdc = loaded.cdc()
                    .orElseThrow(() -> new CommandFailure("expected a section 'cdc' in the configuration, found none"));
            requireMapped(cdc);
            Path directory = loaded.dataDirectory().resolve(ServiceName.CDC_INGEST.label());
            if (!Files.isDirectory(directory)) {
                throw new CommandFailure("expected the data of cdc-ingest in " + directory
                        + ", found none; run this on its machine, after its first start");
            }
            checkCondition(cdc, directory);
            SnapshotRequests.add(directory, table, where);
            spec.commandLine()
                    .getOut()
                    .printf("cdc-ingest reads %s again%s; its status shows how far it is%n", table, shown());
            return 0;
        }

        /** A database that cannot be asked now may be there when the service reads. */
        private void checkCondition(CdcConfig cdc, Path directory) {
            if (where == null) {
                return;
            }
            try {
                SnapshotRequests.complaint(cdc, directory, table, where).ifPresent(complaint -> {
                    throw new CommandFailure("--where: expected a condition on the rows of " + table + ", found '"
                            + where + "': " + complaint);
                });
            } catch (ServiceException e) {
                spec.commandLine().getErr().println("the condition is not checked: " + e.getMessage());
            }
        }

        private String shown() {
            return where == null ? "" : " where " + where;
        }

        private void requireMapped(CdcConfig cdc) {
            List<String> tables = cdc.tables().stream().map(TableMapping::table).toList();
            if (!tables.contains(table)) {
                String hint = NearestName.of(table, tables)
                        .map(nearest -> "did you mean " + nearest + "?")
                        .orElse("expected one of " + String.join(", ", tables));
                throw new CommandFailure("no mapped table '" + table + "', " + hint);
            }
        }
    }
}
