package dev.vigil.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** What a process on this machine has used. */
final class ProcessMeter {
    private final ProcessHandle process;

    ProcessMeter(long pid) {
        process = ProcessHandle.of(pid).orElseThrow(() -> new IllegalStateException("no process " + pid));
    }

    /** User and system time of all its threads, in hundredths of a second; 0 once the process is gone. */
    double cpuSeconds() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }

    /** Largest resident memory, where the system tells it (Linux). */
    OptionalLong peakResidentMib() {
        return statusMib("VmHWM:");
    }

    /** Resident memory now, where the system tells it (Linux). */
    OptionalLong residentMib() {
        return statusMib("VmRSS:");
    }

    private OptionalLong statusMib(String field) {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"));
            return lines.stream()
                    .filter(line -> line.startsWith(field))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
