package dev.vigil.backtest.service;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.EventSource;
import dev.vigil.backtest.Labels;
import dev.vigil.backtest.Progress;
import dev.vigil.backtest.Replay;
import dev.vigil.backtest.SourceSpec;
import dev.vigil.backtest.csv.CsvEvents;
import dev.vigil.backtest.csv.CsvMapping;
import dev.vigil.backtest.csv.LabelFile;
import dev.vigil.backtest.iceberg.IcebergEvents;
import dev.vigil.backtest.kafka.KafkaEvents;
import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.event.FieldType;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.service.ServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs a policy over history and writes what came of it: {@code report.json}, {@code report.html}, the table of scored
 * events, {@code set-aside.csv} and, with a baseline, {@code changes.csv}. The same input gives the same bytes. Nothing is
 * delivered to anybody: there is no sender here.
 */
public final class Backtest {
    private static final String SCORED_EVENTS = "iceberg:scored_events";

    private final BacktestConfig config;
    private final Progress progress;
    private final Policy policy;
    private final @Nullable Policy baseline;

    private Backtest(BacktestConfig config, Progress progress) {
        this.config = config;
        this.progress = progress;
        this.policy = read(config.policy());
        this.baseline = config.baseline() == null ? null : read(config.baseline());
    }

    private static Policy read(Path file) {
        return Policies.check(file.toString(), ConfigDocument.readText(file));
    }

    /**
     * Runs on the calling thread to the end. An interrupt ends it early, with nothing written.
     *
     * @param progress told now and then how far it is
     * @throws ConfigException if a policy, the mapping or the labels say something that cannot be meant; one line
     * @throws ServiceException if a file or the broker cannot be read or written; one line
     */
    public static BacktestResult run(BacktestConfig config, Progress progress) {
        return new Backtest(config, progress).run();
    }

    private BacktestResult run() {
        SourceSpec events = config.events();
        if (events instanceof SourceSpec.CsvFile file) {
            return runFile(file);
        }
        Labels labels = config.labels() == null
                ? Labels.none()
                : LabelFile.usual(config.labels()).read();
        if (events instanceof SourceSpec.KafkaTopic topic) {
            if (config.kafka() == null) {
                throw new ConfigException(events.text() + ": the configuration has no section 'kafka'");
            }
            return replay(new KafkaEvents(config.kafka(), topic.topic()), labels);
        }
        if (!events.text().equals(SCORED_EVENTS)) {
            throw new ConfigException(
                    events.text() + ": expected " + SCORED_EVENTS + ", the table that holds the events");
        }
        BacktestConfig.History history = config.history();
        if (history == null) {
            throw new ConfigException(events.text() + ": the configuration has no section 'lakehouse'");
        }
        return replay(new IcebergEvents(history.config(), history.dataDir()), labels);
    }

    private BacktestResult runFile(SourceSpec.CsvFile file) {
        Path mappingFile = config.mappingFile();
        if (!Files.exists(mappingFile)) {
            throw new ConfigException(
                    mappingFile + ": no such file; it must say how the columns of " + file.path() + " become events");
        }
        CsvMapping mapping = CsvMapping.read(mappingFile.toString(), ConfigDocument.readText(mappingFile));
        mapping.checkFields(fields(null));
        Labels labels = Labels.none();
        if (config.labels() != null) {
            labels = LabelFile.mapped(config.labels(), mapping).read();
            mapping = mapping.withLabelsElsewhere();
        }
        try (CsvEvents source = new CsvEvents(file.path(), mapping, fields(FieldType.BOOL))) {
            return replay(source, labels);
        }
    }

    /** Fields that the policies declare, of one type or, with null, of any. */
    private Set<String> fields(@Nullable FieldType wanted) {
        Set<String> fields = new HashSet<>();
        for (Policy declaring : baseline == null ? List.of(policy) : List.of(policy, baseline)) {
            declaring
                    .events()
                    .forEach(event -> event.fields().forEach((name, type) -> {
                        if (wanted == null || type == wanted) {
                            fields.add(name);
                        }
                    }));
        }
        return fields;
    }

    private BacktestResult replay(EventSource source, Labels labels) {
        try (ResultFiles files = new ResultFiles(config.out(), config.scored(), policy, baseline != null)) {
            Replay replay = new Replay(source, policy, baseline, labels, files, progress);
            BacktestReport report = replay.run(config.events().text());
            return new BacktestResult(report, files.publish(report));
        }
    }
}
