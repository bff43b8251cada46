package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.cdc.Lsns;
import dev.vigil.service.ServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PositionFileTest {

    @TempDir
    Path directory;

    @Test
    void shouldComeBackAsItWasWritten() {
        Path file = directory.resolve("position.json");
        PositionFile position = PositionFile.empty("vigil").withOffsets(Map.of("[\"e\"]", "{\"lsn\":23803720}"));

        position.write(file);
        position.write(file);

        assertThat(PositionFile.read(file)).isEqualTo(position);
        assertThat(position.lsn()).hasValue(Lsns.parse("0/16B3748"));
        assertThat(directory).isDirectoryNotContaining("glob:**.next");
    }

    @Test
    void shouldHaveNoPositionInsideASnapshot() {
        assertThat(withOffset("{\"lsn\":5,\"snapshot\":\"INITIAL\",\"last_snapshot_record\":false}")
                        .lsn())
                .isEmpty();
        assertThat(withOffset("{\"lsn\":5,\"snapshot\":\"INITIAL\",\"last_snapshot_record\":true}")
                        .lsn())
                .hasValue(5);
        assertThat(PositionFile.empty("vigil").lsn()).isEmpty();
        assertThat(PositionFile.read(directory.resolve("none.json"))).isNull();
    }

    @Test
    void shouldRefuseAFileThatIsNoPosition() throws Exception {
        Path file = Files.writeString(directory.resolve("position.json"), "{\"format\":1");

        assertThatThrownBy(() -> PositionFile.read(file))
                .isInstanceOf(ServiceException.class)
                .hasMessageStartingWith(file.toString());
    }

    private static PositionFile withOffset(String offset) {
        return PositionFile.empty("vigil").withOffsets(Map.of("[\"e\"]", offset));
    }
}
