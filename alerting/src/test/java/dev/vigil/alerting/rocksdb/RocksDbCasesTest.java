package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.cases.CasesContract;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbCasesTest extends CasesContract {
    @TempDir
    private Path root;

    private int count;

    private Path directory() {
        return root.resolve(String.valueOf(count));
    }

    @Override
    protected Outbox create() {
        count++;
        return RocksDbOutbox.open(directory());
    }

    @Override
    protected Outbox restarted(Outbox outbox) {
        outbox.close();
        return RocksDbOutbox.open(directory());
    }

    @Override
    protected List<Long> seedsWithRestarts() {
        return List.of(101L, 102L, 103L, 104L);
    }
}
