package dev.vigil.dashboard.deadletter;

import static dev.vigil.dashboard.deadletter.Letters.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ReadableBytesTest {
    private static ReadableBytes of(byte[] bytes) {
        return Objects.requireNonNull(ReadableBytes.of(bytes));
    }

    @Test
    void shouldShowTextAsTextWithCardNumbersMasked() {
        assertThat(of(bytes("{\"name\":\"Müller\",\n\t\"pan\":\"4111 1111 1111 1111\"}"))
                        .text())
                .isEqualTo("{\"name\":\"Müller\",\n\t\"pan\":\"4111 11** **** 1111\"}");
        assertThat(of(new byte[0]).text()).isEmpty();
        assertThat(ReadableBytes.of(null)).isNull();
    }

    @Test
    void shouldShowInHexWhatIsNoTextOrMovesTheCursor() {
        assertThat(of(new byte[] {(byte) 0xff, (byte) 0xff}).hex()).isEqualTo("ffff");
        assertThat(of(bytes("a\u001b[31m")).hex()).isEqualTo("611b5b33316d");
        assertThat(of("Müller".getBytes(StandardCharsets.ISO_8859_1)).hex()).isEqualTo("4dfc6c6c6572");
    }

    // Field case H07.
    @Test
    void shouldMaskACardNumberInsideOfSomethingBinary() {
        byte[] binary =
                ("\0\0\0\0\1" + (char) 0xfe + "4111111111111111" + (char) 0xff).getBytes(StandardCharsets.ISO_8859_1);
        String hex = Objects.requireNonNull(of(binary).hex());
        String back = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
        assertThat(back).contains("411111******1111").doesNotContain("4111111111111111");
        assertThat(back).hasSize(binary.length);
    }

    @Test
    void shouldCutWhatIsLongAndSaySo() {
        ReadableBytes text = of(bytes("x" + "😀".repeat(40_000)));
        assertThat(text.truncated()).isTrue();
        assertThat(text.bytes()).isEqualTo(160_001);
        assertThat(Objects.requireNonNull(text.text())).hasSize(65_535).endsWith("😀");
        byte[] zeros = new byte[1_000_000];
        assertThat(of(zeros).truncated()).isTrue();
        assertThat(Objects.requireNonNull(of(zeros).hex())).hasSize(32_768);
    }
}
