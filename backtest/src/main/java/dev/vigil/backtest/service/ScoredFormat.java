package dev.vigil.backtest.service;

/** How the table of scored events is written, as {@code --scored} names it. */
public enum ScoredFormat {
    PARQUET("scored.parquet"),
    CSV("scored.csv.gz");

    private final String fileName;

    ScoredFormat(String fileName) {
        this.fileName = fileName;
    }

    public String fileName() {
        return fileName;
    }

    /** @throws IllegalArgumentException for anything but {@code parquet} and {@code csv} */
    public static ScoredFormat parse(String text) {
        return switch (text) {
            case "parquet" -> PARQUET;
            case "csv" -> CSV;
            default -> throw new IllegalArgumentException("expected parquet or csv, found '" + text + "'");
        };
    }
}
