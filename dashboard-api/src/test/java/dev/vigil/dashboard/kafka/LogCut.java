package dev.vigil.dashboard.kafka;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** Takes the end of a partition away from a broker that is stopped, as electing a replica that lags behind does. */
final class LogCut {
    private static final int LENGTH_OFFSET = Long.BYTES;
    private static final int BATCH_HEADER = Long.BYTES + Integer.BYTES;

    private LogCut() {}

    /** @param end offset of the first record that is gone; a batch begins there, in the first segment */
    static void cut(Path brokerDirectory, TopicPartition partition, long end) throws IOException {
        Path log = find(brokerDirectory, path -> path.endsWith(partition.toString()))
                .get(0);
        try (RandomAccessFile segment =
                new RandomAccessFile(log.resolve("00000000000000000000.log").toFile(), "rw")) {
            long at = 0;
            segment.seek(at);
            while (segment.readLong() < end) {
                segment.seek(at + LENGTH_OFFSET);
                at += BATCH_HEADER + segment.readInt();
                segment.seek(at);
            }
            segment.setLength(at);
        }
        // What the broker derives from the segment, and that it need not derive it.
        for (Path derived : find(log, path -> path.toString().matches(".*\\.(index|timeindex|snapshot)"))) {
            Files.delete(derived);
        }
        for (Path marker : find(brokerDirectory, path -> path.endsWith(".kafka_cleanshutdown"))) {
            Files.delete(marker);
        }
    }

    private static List<Path> find(Path folder, java.util.function.Predicate<Path> wanted) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(wanted).toList();
        }
    }
}
