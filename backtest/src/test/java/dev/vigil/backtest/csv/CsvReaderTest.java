package dev.vigil.backtest.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CsvReaderTest {
    private static final int ROUNDS = 2_000;

    @Test
    void shouldReadValuesWithAndWithoutQuotes() throws IOException {
        assertThat(rows("a,b\n1,\"x, \"\"y\"\"\nz\"\r\n,\"\"\n"))
                .containsExactly(List.of("a", "b"), List.of("1", "x, \"y\"\nz"), List.of("", ""));
    }

    @Test
    void shouldPassOverBlankLinesAndTheByteOrderMark() throws IOException {
        assertThat(rows("\uFEFFa\n\n\r\n1")).containsExactly(List.of("a"), List.of("1"));
    }

    @Test
    void shouldKeepALineNumberForEachRow() throws IOException {
        CsvReader reader = reader("a\n\n\"x\ny\"\nb\n");
        List<Long> lines = new ArrayList<>();
        while (reader.next()) {
            lines.add(reader.line());
        }
        assertThat(lines).containsExactly(1L, 3L, 5L);
    }

    @Test
    void shouldTellAnEmptyTextFromNothing() throws IOException {
        CsvReader reader = reader(",\"\"\n");
        assertThat(reader.next()).isTrue();
        assertThat(reader.size()).isEqualTo(2);
        assertThat(reader.isEmpty(0)).isTrue();
    }

    @Test
    void shouldLoseOneLineOnlyToAQuoteThatIsNeverClosed() throws IOException {
        CsvReader reader = reader("1,\"open\n2,good\n3,good");
        assertThat(reader.next()).isTrue();
        assertThat(reader.problem()).contains("not closed");
        assertThat(reader.next()).isTrue();
        assertThat(reader.problem()).isNull();
        assertThat(reader.text(1)).isEqualTo("good");
        assertThat(reader.line()).isEqualTo(2);
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isFalse();
    }

    @Test
    void shouldLoseOneLineOnlyToARowThatIsTooLong() throws IOException {
        CsvReader reader = reader("1,\"open\n" + "2,good\n".repeat(CsvReader.MAX_ROW_BYTES / 4));
        int rows = 0;
        int bad = 0;
        while (reader.next()) {
            rows++;
            bad += reader.problem() == null ? 0 : 1;
        }
        assertThat(rows).isEqualTo(1 + CsvReader.MAX_ROW_BYTES / 4);
        assertThat(bad).isEqualTo(1);
    }

    @Test
    void shouldRefuseTextBehindAClosingQuote() throws IOException {
        CsvReader reader = reader("\"a\"b,c\nd,e\n");
        assertThat(reader.next()).isTrue();
        assertThat(reader.problem()).contains("closing quote");
        assertThat(reader.next()).isTrue();
        assertThat(reader.text(0)).isEqualTo("d");
    }

    @Test
    void shouldReadWhatWasWrittenWhateverTheReadsReturn() throws IOException {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            List<List<String>> written = new ArrayList<>();
            String text = random(random, written);
            CsvReader reader = new CsvReader(new Dripping(text.getBytes(StandardCharsets.UTF_8), random), ',');
            List<List<String>> read = new ArrayList<>();
            while (reader.next()) {
                assertThat(reader.problem()).as("seed %d", seed).isNull();
                read.add(values(reader));
            }
            assertThat(read).as("seed %d", seed).isEqualTo(written);
        }
    }

    /** Rows of at least two values, so that none is a blank line. */
    private static String random(Random random, List<List<String>> written) {
        String alphabet = "ab,\"\n\r é";
        StringBuilder text = new StringBuilder();
        for (int row = random.nextInt(6); row > 0; row--) {
            List<String> values = new ArrayList<>();
            for (int column = 0; column < 2 + random.nextInt(3); column++) {
                StringBuilder value = new StringBuilder();
                for (int length = random.nextInt(5); length > 0; length--) {
                    value.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                boolean plain = value.chars().noneMatch(c -> ",\"\n\r".indexOf(c) >= 0);
                text.append(column == 0 ? "" : ",");
                text.append(
                        plain && random.nextBoolean()
                                ? value
                                : "\"" + value.toString().replace("\"", "\"\"") + "\"");
                values.add(value.toString());
            }
            written.add(values);
            text.append(row > 1 || random.nextBoolean() ? random.nextBoolean() ? "\n" : "\r\n" : "");
        }
        return text.toString();
    }

    private static CsvReader reader(String text) {
        return new CsvReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), ',');
    }

    private static List<List<String>> rows(String text) throws IOException {
        CsvReader reader = reader(text);
        List<List<String>> rows = new ArrayList<>();
        while (reader.next()) {
            rows.add(values(reader));
        }
        return rows;
    }

    private static List<String> values(CsvReader reader) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < reader.size(); i++) {
            values.add(reader.text(i));
        }
        return values;
    }

    /** Returns a few bytes at a time. */
    private static final class Dripping extends InputStream {
        private final InputStream all;
        private final Random random;

        Dripping(byte[] bytes, Random random) {
            this.all = new ByteArrayInputStream(bytes);
            this.random = random;
        }

        @Override
        public int read() throws IOException {
            return all.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return all.read(target, offset, Math.min(length, 1 + random.nextInt(3)));
        }
    }
}
