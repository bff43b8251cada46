package dev.vigil.backtest.service;

import dev.vigil.backtest.Progress;
import dev.vigil.backtest.SourceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A directory with a small policy, its mapping and events for it. */
final class BacktestFolder {
    static final String POLICY = """
            policy: small
            version: 3
            currency: EUR
            time: {out_of_orderness: 30s, allowed_lateness: 1h, late: drop}
            events:
              payment: {account: card, fields: {amount: money, merchant: string, online: bool}}
            features:
              n_1h: {count: payment, over: 1h}
              sum_1h: {sum: payment.amount, over: 1h}
              last_merchant: {last: payment.merchant, over: 30d}
              any_online: {last: payment.online, over: 30d}
            rules:
              - {id: high, when: "amount > 100.0", score: 60}
              - {id: quick, when: "n_1h > 2", score: 30}
              - {id: tried, when: "amount == 1.0", score: 900, shadow: true}
            decisions: [{decline: 90}, {review: 50}]
            """;
    static final String MAPPING = """
            type: payment
            id: id
            account: card
            time: at
            fields: {amount: amount, merchant: merchant, online: online}
            label: fraud
            """;
    static final String HEADER = "id,at,card,amount,merchant,online,fraud\n";

    final Path directory;
    final Path policy;
    final Path events;
    final Path out;

    BacktestFolder(Path directory) throws IOException {
        this.directory = directory;
        this.policy = write("small.yaml", POLICY);
        write("small.mapping.yaml", MAPPING);
        this.events = directory.resolve("events.csv");
        this.out = directory.resolve("out");
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    void events(String... rows) throws IOException {
        Files.writeString(events, HEADER + String.join("\n", rows) + "\n");
    }

    BacktestConfig config() {
        return BacktestConfig.of(policy, new SourceSpec.CsvFile(events), out).withScored(ScoredFormat.CSV);
    }

    BacktestResult run() {
        return Backtest.run(config(), Progress.NONE);
    }

    List<Map<String, String>> scored() throws IOException {
        return Scored.rows(out.resolve("scored.csv.gz"));
    }

    /** Contents of every file of the results, by name. */
    Map<String, byte[]> results() throws IOException {
        Map<String, byte[]> results = new TreeMap<>();
        try (Stream<Path> files = Files.list(out)) {
            for (Path file : files.toList()) {
                results.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return results;
    }
}
