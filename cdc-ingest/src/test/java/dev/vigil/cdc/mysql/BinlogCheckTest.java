package dev.vigil.cdc.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Against answers of a server, as it gave them. */
final class BinlogCheckTest {

    private static final Map<String, Long> LOGS = new LinkedHashMap<>();

    static {
        LOGS.put("binlog.000009", 1_000L);
        LOGS.put("binlog.000010", 200L);
        LOGS.put("binlog.000011", 30L);
    }

    @Test
    void shouldFindNoGapWhereTheFileReachesToThePosition() {
        assertThat(BinlogCheck.files(LOGS, new BinlogPosition("binlog.000010", 200)))
                .isEmpty();
        assertThat(BinlogCheck.files(LOGS, new BinlogPosition("binlog.000009", 4)))
                .isEmpty();
    }

    @Test
    void shouldSayWhichFilesThereAreWhereThatOfThePositionIsGone() {
        assertThat(BinlogCheck.files(LOGS, new BinlogPosition("binlog.000008", 4)))
                .hasValue("found the binary logs binlog.000009 to binlog.000011");
        assertThat(BinlogCheck.files(Map.of(), new BinlogPosition("binlog.000008", 4)))
                .hasValue("found no binary log on the server");
    }

    @Test
    void shouldNoticeAFileThatEndsBeforeThePosition() {
        assertThat(BinlogCheck.files(LOGS, new BinlogPosition("binlog.000011", 31)))
                .hasValueSatisfying(found -> assertThat(found).startsWith("found that binlog.000011 ends at 30"));
    }

    @Test
    void shouldCountTheBytesAfterThePosition() {
        assertThat(BinlogCheck.bytesAfter(LOGS, new BinlogPosition("binlog.000009", 900)))
                .isEqualTo(100 + 200 + 30);
        assertThat(BinlogCheck.bytesAfter(LOGS, new BinlogPosition("binlog.000011", 30)))
                .isZero();
        assertThat(BinlogCheck.bytesAfter(LOGS, new BinlogPosition("binlog.000008", 900)))
                .isEqualTo(1_230);
    }

    @Test
    void shouldOrderPlacesAlongTheLogAsOneNumber() {
        BinlogPosition last = new BinlogPosition("binlog.000012", 0xFFFF_FFFFL);

        assertThat(new BinlogPosition("binlog.000012", 500).lsn()).isEqualTo(0xC_0000_01F4L);
        assertThat(last.lsn()).isLessThan(new BinlogPosition("binlog.000013", 4).lsn());
        assertThat(new BinlogPosition("host-bin.1000000", 4).fileNumber()).isEqualTo(1_000_000);
        assertThatThrownBy(() -> new BinlogPosition("binlog", 4).lsn()).hasMessageContaining("found binlog");
    }
}
