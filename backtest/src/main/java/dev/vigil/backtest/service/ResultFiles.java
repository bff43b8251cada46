package dev.vigil.backtest.service;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.ChangedEvent;
import dev.vigil.backtest.Outcome;
import dev.vigil.backtest.ReplayOutput;
import dev.vigil.backtest.ScoredColumns;
import dev.vigil.backtest.SetAsideRecord;
import dev.vigil.backtest.csv.CsvScoredRows;
import dev.vigil.backtest.csv.CsvTables;
import dev.vigil.backtest.html.ReportPage;
import dev.vigil.backtest.parquet.ParquetTable;
import dev.vigil.event.ScoredSchema;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.RuleDeclaration;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a backtest. They get their names only when all of them are whole: until {@link #publish} everything is in a
 * directory of its own inside the output directory, which {@link #close} removes.
 */
final class ResultFiles implements ReplayOutput, AutoCloseable {
    private static final String REPORT_JSON = "report.json";
    private static final String REPORT_HTML = "report.html";
    private static final String SET_ASIDE = "set-aside.csv";
    private static final String CHANGES = "changes.csv";
    private static final String CSV = "scored.csv";
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int PARQUET_MEGABYTES = 512;

    private final Path directory;
    private final Path work;
    private final ScoredFormat format;
    private final List<String> rules;
    private final boolean withBaseline;
    private final CsvTables tables;
    private @Nullable CsvScoredRows rows;
    private @Nullable ScoredColumns columns;

    /** @throws ServiceException if the directory cannot be created or written to */
    ResultFiles(Path directory, ScoredFormat format, Policy policy, boolean withBaseline) {
        this.directory = directory;
        this.format = format;
        this.rules = policy.rules().stream().map(RuleDeclaration::id).toList();
        this.withBaseline = withBaseline;
        try {
            Files.createDirectories(directory);
            work = Files.createTempDirectory(directory, ".backtest-");
            tables = new CsvTables(open(SET_ASIDE), withBaseline ? open(CHANGES) : null);
        } catch (IOException e) {
            throw new ServiceException(directory + ": cannot be written to: " + e.getMessage(), e);
        }
    }

    private OutputStream open(String name) throws IOException {
        return Files.newOutputStream(work.resolve(name));
    }

    @Override
    public void begin(ScoredSchema schema) {
        columns = ScoredColumns.of(schema, withBaseline);
        try {
            OutputStream out = format == ScoredFormat.CSV ? new FastGzip(open(format.fileName())) : open(CSV);
            rows = new CsvScoredRows(out, columns, rules, withBaseline);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    @Override
    public void scored(ScoredView scored, Outcome baseline) {
        try {
            Objects.requireNonNull(rows).write(scored, baseline);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    @Override
    public void setAside(SetAsideRecord record) {
        try {
            tables.setAside(record);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    @Override
    public void changed(ChangedEvent event) {
        try {
            tables.changed(event);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** Finishes all files and gives them their names; results of an earlier run are gone then. */
    List<Path> publish(BacktestReport report) {
        try {
            closeTables();
            if (format == ScoredFormat.PARQUET && columns != null) {
                ParquetTable.convert(work.resolve(CSV), work.resolve(format.fileName()), columns, PARQUET_MEGABYTES);
            }
            Files.write(work.resolve(REPORT_JSON), report.toJson());
            Files.writeString(work.resolve(REPORT_HTML), ReportPage.render(report), StandardCharsets.UTF_8);
            return moveAll();
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private void closeTables() throws IOException {
        try {
            tables.close();
        } finally {
            if (rows != null) {
                rows.close();
            }
        }
    }

    private List<Path> moveAll() throws IOException {
        List<Path> published = new ArrayList<>();
        List<String> names = List.of(
                REPORT_JSON,
                REPORT_HTML,
                ScoredFormat.PARQUET.fileName(),
                ScoredFormat.CSV.fileName(),
                SET_ASIDE,
                CHANGES);
        for (String name : names) {
            Path target = directory.resolve(name);
            if (Files.exists(work.resolve(name))) {
                Files.move(work.resolve(name), target, StandardCopyOption.REPLACE_EXISTING);
                published.add(target);
            } else {
                Files.deleteIfExists(target);
            }
        }
        return published;
    }

    private ServiceException broken(IOException e) {
        return new ServiceException(directory + ": writing failed: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        try {
            closeTables();
        } catch (IOException e) {
            throw broken(e);
        } finally {
            removeWork();
        }
    }

    private void removeWork() {
        try {
            try (var files = Files.list(work)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(work);
        } catch (IOException e) {
            throw new ServiceException(work + ": cannot be removed: " + e.getMessage(), e);
        }
    }

    /** Half the size of text would cost a third of the run; at this level it is a few percent larger and hardly costs. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
