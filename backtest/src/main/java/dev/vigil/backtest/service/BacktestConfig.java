package dev.vigil.backtest.service;

import dev.vigil.backtest.SourceSpec;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One backtest.
 *
 * @param policy the file of the policy under test
 * @param baseline of the policy to compare it with; absent: none
 * @param mapping of a CSV file's columns; absent: {@code NAME.mapping.yaml} beside the policy {@code NAME.yaml}
 * @param labels CSV file of event ids and labels; absent: those that the mapping finds in the events' own rows
 * @param out directory for the results; created if missing, results of an earlier run are replaced
 * @param kafka needed for events from a topic only
 * @param history needed for events from a table only
 */
public record BacktestConfig(
        Path policy,
        @Nullable Path baseline,
        SourceSpec events,
        @Nullable Path mapping,
        @Nullable Path labels,
        Path out,
        ScoredFormat scored,
        @Nullable KafkaConfig kafka,
        @Nullable History history) {
    /**
     * Where history lives.
     *
     * @param dataDir of the lakehouse
     */
    public record History(LakehouseConfig config, Path dataDir) {}

    /** Parquet, without a baseline, labels of a file of their own or a mapping named by hand. */
    public static BacktestConfig of(Path policy, SourceSpec events, Path out) {
        return new BacktestConfig(policy, null, events, null, null, out, ScoredFormat.PARQUET, null, null);
    }

    public BacktestConfig withBaseline(Path file) {
        return new BacktestConfig(policy, file, events, mapping, labels, out, scored, kafka, history);
    }

    public BacktestConfig withMapping(Path file) {
        return new BacktestConfig(policy, baseline, events, file, labels, out, scored, kafka, history);
    }

    public BacktestConfig withLabels(Path file) {
        return new BacktestConfig(policy, baseline, events, mapping, file, out, scored, kafka, history);
    }

    public BacktestConfig withScored(ScoredFormat format) {
        return new BacktestConfig(policy, baseline, events, mapping, labels, out, format, kafka, history);
    }

    public BacktestConfig withKafka(KafkaConfig config) {
        return new BacktestConfig(policy, baseline, events, mapping, labels, out, scored, config, history);
    }

    public BacktestConfig withHistory(History location) {
        return new BacktestConfig(policy, baseline, events, mapping, labels, out, scored, kafka, location);
    }

    /** The mapping's file: the one named, else the one beside the policy. */
    Path mappingFile() {
        if (mapping != null) {
            return mapping;
        }
        String name = String.valueOf(policy.getFileName());
        String stem = name.replaceFirst("\\.ya?ml$", "");
        return policy.resolveSibling(stem + ".mapping.yaml");
    }
}
