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
            "--rate",
            "200",
            "--seconds",
            "2",
            "--unmeasured",
            "1",
            "--history",
            "500",
            "--checkpoint-every",
            "1",
            "--engine-jvm",
            SMALL_JVM
        };
        assertThat(new CommandLine(new EngineLatency()).execute(options)).isZero();
    }

    @Test
    void shouldMeasureHowLongAlertsTakeBesideAnEndpointThatAnswersNothing() {
        String[] options = {
            "--rate",
            "200",
            "--seconds",
            "4",
            "--unmeasured",
            "1",
            "--history",
            "3000",
            "--endpoints",
            "3",
            "--black-hole",
            "--engine-jvm",
            SMALL_JVM,
            "--alerting-jvm",
            SMALL_JVM
        };
        assertThat(new CommandLine(new AlertLatency()).execute(options)).isZero();
    }

    @Test
    void shouldMeasureMemoryWithUndeliveredAlerts() {
        String[] options = {"--alerts", "2000", "--limit-mib", "4096", "--alerting-jvm", SMALL_JVM};
        assertThat(new CommandLine(new AlertBacklog()).execute(options)).isZero();
    }

    @Test
    void shouldMeasureRecovery() {
        String[] options = {
            "--accounts",
            "1000",
            "--history",
            "500",
            "--rate",
            "200",
            "--kills",
            "1",
            "--between",
            "1",
            "--limit",
            "600",
            "--engine-jvm",
            SMALL_JVM
        };
        assertThat(new CommandLine(new EngineRecovery()).execute(options)).isZero();
    }

    @Test
    void shouldMeasureTheMemoryOfStores() {
        String[] options = {"--opens", "30", "--unmeasured", "10", "--limit-mib", "4096"};
        assertThat(new CommandLine(new StoreMemory()).execute(options)).isZero();
    }

    @Test
    void shouldMeasureWhetherCostIsFlat() {
        String[] options = {
            "--window-events",
            "10,1000",
            "--window-total",
            "2000",
            "--days",
            "7",
            "--late",
            "60",
            "--steps",
            "100",
            "--events",
            "500",
            "--memory-events",
            "1000",
            "--memory-live",
            "100",
            "--restarts",
            "2",
            "--limit",
            "1e9",
            "--same",
            "1e9",
            "--jvm",
            SMALL_JVM
        };
        assertThat(FlatCost.commandLine().execute(options)).isZero();
    }

    @Test
    void shouldSayThatCostIsNotFlatByItsStatus() {
        String[] options = {"--parts", "memory", "--memory-events", "1000", "--same", "0.5", "--jvm", SMALL_JVM};
        assertThat(FlatCost.commandLine().execute(options)).isOne();
    }
}
