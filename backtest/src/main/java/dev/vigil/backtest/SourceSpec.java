package dev.vigil.backtest;

import java.nio.file.Path;
import java.util.List;

/** Where history comes from, as {@code --events} names it. */
public sealed interface SourceSpec {
    /** A CSV file, plain or gzip: {@code file:payments.csv.gz}. */
    record CsvFile(Path path) implements SourceSpec {
        @Override
        public String text() {
            return "file:" + path;
        }
    }

    /** A topic of the log: {@code kafka:vigil.events}. */
    record KafkaTopic(String topic) implements SourceSpec {
        @Override
        public String text() {
            return "kafka:" + topic;
        }
    }

    /** A table of the history: {@code iceberg:scored_events}. */
    record IcebergTable(String table) implements SourceSpec {
        @Override
        public String text() {
            return "iceberg:" + table;
        }
    }

    /** The form that {@link #parse} reads. */
    String text();

    /** @throws IllegalArgumentException for anything else, with what was expected and found */
    static SourceSpec parse(String text) {
        int colon = text.indexOf(':');
        String scheme = colon < 0 ? "" : text.substring(0, colon);
        String rest = text.substring(colon + 1);
        if (rest.isEmpty() || !List.of("file", "kafka", "iceberg").contains(scheme)) {
            throw new IllegalArgumentException(
                    "expected events from file:PATH, kafka:TOPIC or iceberg:TABLE, found '" + text + "'");
        }
        return switch (scheme) {
            case "file" -> new CsvFile(Path.of(rest.startsWith("//") ? rest.substring(2) : rest));
            case "kafka" -> new KafkaTopic(rest);
            default -> new IcebergTable(rest);
        };
    }
}
