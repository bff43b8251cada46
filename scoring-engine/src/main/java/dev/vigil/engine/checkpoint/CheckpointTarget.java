package dev.vigil.engine.checkpoint;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** Where checkpoints go, as configured: a folder per partition below it. */
public sealed interface CheckpointTarget {
    /** A directory, on a local disk or a mounted share. */
    record Directory(Path path) implements CheckpointTarget {}

    /**
     * A bucket of S3, or of a server that speaks its protocol.
     *
     * @param prefix of the keys, without slashes at its ends; may be empty
     * @param endpoint absent for Amazon's own
     * @param region absent: as the environment says, or us-east-1 where there is an endpoint
     * @param pathStyle the bucket in the path instead of the host name
     * @param credentials absent: as the environment says
     */
    record Bucket(
            String bucket,
            String prefix,
            Optional<URI> endpoint,
            Optional<String> region,
            boolean pathStyle,
            Optional<Credentials> credentials)
            implements CheckpointTarget {}

    /** Of an S3 user. Shown without the secret. */
    record Credentials(String accessKey, String secretKey) {
        @Override
        public String toString() {
            return "Credentials[accessKey=" + accessKey + ", secretKey=***]";
        }
    }
}
