package dev.vigil.backtest.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Reads plain tables: CSV, gzip or not, of values that need no quotes. */
final class Scored {
    static final Path REPOSITORY = Path.of(System.getProperty("vigil.repository", ".."));
    static final Path HANDBOOK = REPOSITORY.resolve("policies/handbook.yaml");

    private Scored() {}

    static List<Map<String, String>> rows(Path file) throws IOException {
        try (BufferedReader reader = open(file)) {
            String[] names = reader.readLine().split(",", -1);
            List<Map<String, String>> rows = new ArrayList<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] values = line.split(",", -1);
                Map<String, String> row = new HashMap<>();
                for (int i = 0; i < names.length; i++) {
                    row.put(names[i], values[i].equals("\"\"") ? "" : values[i]);
                }
                rows.add(row);
            }
            return rows;
        }
    }

    static BufferedReader open(Path file) throws IOException {
        return new BufferedReader(new InputStreamReader(
                file.toString().endsWith(".gz")
                        ? new GZIPInputStream(Files.newInputStream(file))
                        : Files.newInputStream(file),
                StandardCharsets.UTF_8));
    }
}
