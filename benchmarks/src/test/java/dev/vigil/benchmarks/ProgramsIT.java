package dev.vigil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** That the programs run; what they measure here means nothing. */
class ProgramsIT {
    private static final String SMALL_JVM = "-Xmx200m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    @Test
    void shouldMeasureThroughput() {
        assertThat(new CommandLine(new EngineThroughput()).execute("--events", "2000", "--engine-jvm", SMALL_JVM))
                .isZero();
    }

    @Test
    void shouldMeasureLatency() {
        String[] options = {
            "--rate", "200", "--seconds", "2", "--unmeasured", "1", "--history", "500", "--engine-jvm", SMALL_JVM
        };
        assertThat(new CommandLine(new EngineLatency()).execute(options)).isZero();
    }
}
