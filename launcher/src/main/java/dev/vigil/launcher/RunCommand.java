package dev.vigil.launcher;

import dev.vigil.service.ServiceException;
import dev.vigil.service.VigilService;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vigil run}: the services of a deployment, all in one process or some of them. */
@Command(name = "run", mixinStandardHelpOptions = true, description = "Run the services of a deployment until stopped.")
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
    private static final long WATCH_MS = 500;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "vigil.yaml",
            description = "Configuration (default: ${DEFAULT-VALUE}).")
    private Path config;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "SERVICE",
            description = "Only these: cdc-ingest, scoring-engine, alerting, lakehouse-sink, dashboard-api.")
    private Set<String> only;

    @Override
    public Integer call() throws InterruptedException {
        Logging.server();
        VigilConfig loaded = VigilConfig.load(config, System.getenv());
        EnumSet<ServiceName> names = names(loaded);
        StopSignal stop = StopSignal.install();
        try (DataDirectory directory = DataDirectory.open(loaded.dataDirectory(), names);
                Deployment deployment = new Deployment(loaded, names)) {
            deployment.start();
            LOG.info(
                    "running {} with data in {}",
                    names.stream().map(ServiceName::label).toList(),
                    directory.path());
            SnapshotLine snapshot = new SnapshotLine(spec.commandLine().getErr(), System.console() != null);
            VigilService capture = deployment.service(ServiceName.CDC_INGEST);
            while (!stop.await(WATCH_MS)) {
                if (capture != null) {
                    snapshot.show(capture.status());
                }
                deployment.failure().ifPresent(failure -> {
                    throw new ServiceException(failure);
                });
            }
            LOG.info("stopping");
        }
        LOG.info("stopped");
        return 0;
    }

    private EnumSet<ServiceName> names(VigilConfig loaded) {
        EnumSet<ServiceName> names = EnumSet.noneOf(ServiceName.class);
        if (only == null) {
            names.addAll(EnumSet.allOf(ServiceName.class));
            if (loaded.cdc().isEmpty()) {
                names.remove(ServiceName.CDC_INGEST);
            }
            return names;
        }
        for (String label : only) {
            try {
                names.add(ServiceName.parse(label.trim()));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--only: " + e.getMessage());
            }
        }
        return names;
    }
}
