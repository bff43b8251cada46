package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.config.Configuration;
import io.debezium.relational.history.HistoryRecord;
import io.debezium.relational.history.HistoryRecordComparator;
import io.debezium.relational.history.SchemaHistoryListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchemaHistoryFileTest {

    @TempDir
    Path directory;

    @Test
    void shouldGiveBackWhatWasStoredInItsOrder() {
        assertThat(open().exists()).isFalse();
        SchemaHistoryFile history = open();
        history.storeRecord(statement(4, "CREATE TABLE t (name varchar(9) DEFAULT 'Zoë\n')"));
        history.storeRecord(statement(9, "DROP TABLE t"));

        assertThat(open().exists()).isTrue();
        assertThat(statements(open()))
                .containsExactly("CREATE TABLE t (name varchar(9) DEFAULT 'Zoë\n')", "DROP TABLE t");
    }

    @Test
    void shouldDropALineThatACrashCutOffAndWriteOnBehindTheOneBefore() throws Exception {
        open().storeRecord(statement(4, "CREATE TABLE t (i int)"));
        Path file = SchemaHistoryFile.in(directory);
        Files.writeString(file, "{\"source\":{\"ser", StandardOpenOption.APPEND);

        SchemaHistoryFile again = open();
        again.storeRecord(statement(9, "DROP TABLE t"));

        assertThat(statements(open())).containsExactly("CREATE TABLE t (i int)", "DROP TABLE t");
    }

    @Test
    void shouldKnowNothingAfterItWasDeleted() {
        open().storeRecord(statement(4, "CREATE TABLE t (i int)"));
        SchemaHistoryFile.delete(SchemaHistoryFile.in(directory));
        SchemaHistoryFile.delete(SchemaHistoryFile.in(directory));

        assertThat(open().exists()).isFalse();
        assertThat(statements(open())).isEmpty();
    }

    private SchemaHistoryFile open() {
        SchemaHistoryFile history = new SchemaHistoryFile();
        Path file = SchemaHistoryFile.in(directory);
        history.configure(
                Configuration.from(Map.of(SchemaHistoryFile.FILE_SETTING, file.toString())),
                HistoryRecordComparator.INSTANCE,
                SchemaHistoryListener.NOOP,
                true);
        history.start();
        return history;
    }

    private static HistoryRecord statement(long offset, String ddl) {
        return new HistoryRecord(
                Map.of("server", "vigil"),
                Map.of("file", "binlog.000001", "pos", offset),
                "bank",
                null,
                ddl,
                null,
                Instant.EPOCH);
    }

    private static List<String> statements(SchemaHistoryFile history) {
        List<String> statements = new ArrayList<>();
        history.recoverRecords(
                record -> statements.add(record.document().getString(HistoryRecord.Fields.DDL_STATEMENTS)));
        return statements;
    }
}
