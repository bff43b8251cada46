package dev.vigil.engine.s3;

import dev.vigil.engine.checkpoint.CheckpointStorage;
import dev.vigil.engine.checkpoint.CheckpointTarget;
import dev.vigil.engine.checkpoint.CheckpointTarget.Bucket;
import dev.vigil.engine.checkpoint.CheckpointTarget.Directory;
import dev.vigil.engine.checkpoint.FileCheckpointStorage;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/** The storage of each partition's checkpoints, over one client for all. Safe for any thread. */
public final class CheckpointStorages implements AutoCloseable {
    private final IntFunction<CheckpointStorage> ofPartition;
    private @Nullable S3Client client;

    public CheckpointStorages(CheckpointTarget target) {
        if (target instanceof Bucket bucket) {
            S3Client shared = S3Clients.open(bucket);
            client = shared;
            String prefix = bucket.prefix().isEmpty() ? "" : bucket.prefix() + "/";
            ofPartition = partition -> new S3CheckpointStorage(shared, bucket.bucket(), prefix + partition + "/");
        } else {
            Path directory = ((Directory) target).path();
            ofPartition = partition -> new FileCheckpointStorage(directory.resolve(Integer.toString(partition)));
        }
    }

    public CheckpointStorage of(int partition) {
        return ofPartition.apply(partition);
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
    }
}
