package dev.vigil.benchmarks;

import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.engine.rocksdb.RocksDbResources;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.scoring.state.StateBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Whether native memory stays where it is over many openings and closings of stores, with all that an engine does in
 * between: a step written, values read, a copy made, looked at and verified. Every so often what stores share is closed
 * and made anew too.
 */
@Command(
        name = "store-memory",
        mixinStandardHelpOptions = true,
        description =
                "Opens and closes stores and compares resident memory before and after; status 0 only if it stays.")
public final class StoreMemory implements Callable<Integer> {
    private static final int SHARED_EVERY = 100;
    private static final int COPY_EVERY = 10;
    private static final int ENTRY_COUNT = 200;
    private static final long MIB = 1 << 20;

    @Option(names = "--opens", defaultValue = "10000", description = "that count (default ${DEFAULT-VALUE})")
    private int opens;

    @Option(
            names = "--unmeasured",
            defaultValue = "2000",
            description = "before, for heap and allocator to find their size (default ${DEFAULT-VALUE})")
    private int unmeasured;

    @Option(names = "--stores", defaultValue = "4", description = "in turn (default ${DEFAULT-VALUE})")
    private int stores;

    @Option(names = "--limit-mib", defaultValue = "16", description = "of growth (default ${DEFAULT-VALUE})")
    private long limitMib;

    @Option(names = "--seed", defaultValue = "42", description = "of what is written (default ${DEFAULT-VALUE})")
    private long seed;

    private final ProcessMeter meter = new ProcessMeter(ProcessHandle.current().pid());

    public static void main(String[] args) {
        System.exit(new CommandLine(new StoreMemory()).execute(args));
    }

    @Override
    public Integer call() throws IOException, CorruptStoreException {
        Path directory = Files.createTempDirectory("vigil-store-memory");
        try {
            Random random = new Random(seed);
            openAndClose(directory, unmeasured, random);
            OptionalLong before = meter.residentMib();
            for (int tenth = 1; tenth <= 10; tenth++) {
                openAndClose(directory, opens / 10, random);
                meter.residentMib().ifPresent(mib -> EngineThroughput.line("resident memory", "%d MiB", mib));
            }
            OptionalLong after = meter.residentMib();
            if (before.isEmpty() || after.isEmpty()) {
                System.err.println("store-memory: this system does not tell a process's resident memory");
                return 1;
            }
            long growth = after.getAsLong() - before.getAsLong();
            EngineThroughput.line(
                    "growth",
                    "%d MiB over %d openings, from %d MiB (limit %d MiB)",
                    growth,
                    opens,
                    before.getAsLong(),
                    limitMib);
            return growth <= limitMib ? 0 : 1;
        } finally {
            delete(directory);
        }
    }

    private void openAndClose(Path directory, int times, Random random) throws IOException, CorruptStoreException {
        for (int done = 0; done < times; done += SHARED_EVERY) {
            try (RocksDbResources resources = new RocksDbResources(8 * MIB, 8 * MIB)) {
                for (int i = done; i < Math.min(times, done + SHARED_EVERY); i++) {
                    useStore(directory.resolve("store-" + i % stores), resources, i, random);
                }
            }
        }
    }

    private static void useStore(Path directory, RocksDbResources resources, int turn, Random random)
            throws IOException, CorruptStoreException {
        try (RocksDbStateStore store = RocksDbStateStore.open(directory, resources)) {
            StateBatch step = new StateBatch();
            byte[] key = new byte[0];
            for (int entry = 0; entry < ENTRY_COUNT; entry++) {
                key = ByteBuffer.allocate(Integer.BYTES)
                        .putInt(random.nextInt(10_000))
                        .array();
                byte[] value = new byte[400];
                random.nextBytes(value);
                step.put(key, value);
            }
            store.write(step);
            if (store.get(key) == null) {
                throw new IllegalStateException("what was written is not there");
            }
            if (turn % COPY_EVERY == 0) {
                Path copy = directory.resolveSibling("copy");
                store.copyTo(copy);
                try (RocksDbStateStore look = RocksDbStateStore.openReadOnly(copy, resources)) {
                    look.verify();
                }
                for (Path table : tables(copy)) {
                    RocksDbStateStore.verifyTable(table);
                }
                delete(copy);
            }
        }
    }

    private static Iterable<Path> tables(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
