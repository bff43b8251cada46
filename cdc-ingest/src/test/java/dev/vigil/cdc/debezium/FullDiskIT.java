package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.service.status.ServiceState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk that holds position and state is full: capture stands still and says so, and goes on when there is room again. */
final class FullDiskIT {

    @TempDir
    Path directory;

    @Test
    void shouldStandStillAndSayWhyAndGoOnWithoutLossWhenThereIsRoomAgain() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                runs("mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "vigil-cdc-test", disk.toString()),
                "needs the right to mount a file system");
        try (CapturedBank bank = CapturedBank.create(disk)) {
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.insertPayments(1, 10);
                bank.log.awaitEvents(list -> list.size() == 10);
                Path filler = fill(disk);

                // More than the store's files have room for already.
                for (int account = 0; account < 1_000; account += 100) {
                    bank.execute("INSERT INTO " + bank.table("accounts")
                            + " SELECT 'b' || i, 'DE', '2020-01-01', 1, repeat(md5(i::text), 1000)"
                            + " FROM generate_series(" + account + ", " + (account + 99) + ") i");
                }
                bank.insertPayments(11, 20);
                Awaitility.await()
                        .untilAsserted(() -> assertThat(ingest.status().problem())
                                .contains("position " + disk.resolve("capture"))
                                .contains("cannot be written")
                                .contains("No space left on device"));
                assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
                Files.delete(filler);

                List<Entry> all = bank.log.awaitEvents(list -> payments(list).size() == 20);
                assertThat(payments(all)).isEqualTo(between(1, 20));
                assertThat(accounts(all)).hasSize(1_000);
                Awaitility.await()
                        .untilAsserted(
                                () -> assertThat(ingest.status().problem()).isNull());
            }
            try (CdcIngest again = bank.ingest()) {
                again.start();
                bank.insertPayments(21, 21);
                bank.execute("DELETE FROM " + bank.table("accounts") + " WHERE account_id = 'b999'");
                List<Entry> all = bank.log.awaitEvents(list -> list.stream().anyMatch(entry -> entry.data() == null));
                assertThat(payments(all)).isEqualTo(between(1, 21));
            }
        } finally {
            assertThat(runs("umount", disk.toString()) || runs("umount", "--lazy", disk.toString()))
                    .isTrue();
        }
    }

    /** Takes all the room that is left. */
    private static Path fill(Path disk) throws IOException {
        Path filler = disk.resolve("filler");
        byte[] bytes = new byte[4 << 10];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(bytes);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
        return filler;
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Set<Integer> payments(List<Entry> events) {
        return events.stream()
                .filter(event -> event.type().equals("transaction"))
                .map(event -> Integer.parseInt(event.id()))
                .collect(Collectors.toSet());
    }

    private static Set<String> accounts(List<Entry> events) {
        return events.stream()
                .filter(event -> event.type().equals("vigil.reference.account"))
                .map(Entry::key)
                .collect(Collectors.toSet());
    }

    private static Set<Integer> between(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
    }
}
