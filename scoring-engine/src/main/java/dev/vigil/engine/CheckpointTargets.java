package dev.vigil.engine;

import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.engine.checkpoint.CheckpointTarget;
import dev.vigil.engine.checkpoint.CheckpointTarget.Bucket;
import dev.vigil.engine.checkpoint.CheckpointTarget.Credentials;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code storage} and {@code s3} of the {@code scoring.checkpoint} section. */
final class CheckpointTargets {
    private static final String FILE = "file:";
    private static final Pattern S3 = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*?))?/*");

    private CheckpointTargets() {}

    static CheckpointTarget from(ConfigNode checkpoint, CheckpointTarget whenAbsent) {
        Optional<ConfigNode> storage = checkpoint.find("storage");
        Optional<ConfigNode> s3 = checkpoint.find("s3");
        CheckpointTarget target = storage.map(node -> target(node, s3)).orElse(whenAbsent);
        if (s3.isPresent() && !(target instanceof Bucket)) {
            throw s3.get().error("is for storage s3://BUCKET/PREFIX, found another storage");
        }
        return target;
    }

    private static CheckpointTarget target(ConfigNode storage, Optional<ConfigNode> s3) {
        String text = storage.text();
        if (text.startsWith(FILE)) {
            return new CheckpointTarget.Directory(Path.of(text.substring(FILE.length())));
        }
        Matcher bucket = S3.matcher(text);
        if (!bucket.matches()) {
            throw storage.expected("file:DIRECTORY or s3://BUCKET/PREFIX");
        }
        String prefix = bucket.group(2) == null ? "" : bucket.group(2);
        return s3.map(options -> bucket(bucket.group(1), prefix, options))
                .orElseGet(() -> new Bucket(
                        bucket.group(1), prefix, Optional.empty(), Optional.empty(), false, Optional.empty()));
    }

    private static Bucket bucket(String name, String prefix, ConfigNode s3) {
        s3.knownKeys("endpoint", "region", "path-style", "access-key", "secret-key");
        return new Bucket(
                name,
                prefix,
                s3.find("endpoint").map(CheckpointTargets::endpoint),
                s3.find("region").map(ConfigNode::text),
                s3.get("path-style", false, ConfigNode::bool),
                credentials(s3));
    }

    private static URI endpoint(ConfigNode node) {
        return node.read("http://HOST:PORT or https://HOST", text -> {
            URI uri = URI.create(text);
            if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                throw new IllegalArgumentException(text);
            }
            return uri;
        });
    }

    private static Optional<Credentials> credentials(ConfigNode s3) {
        Optional<ConfigNode> accessKey = s3.find("access-key");
        Optional<ConfigNode> secretKey = s3.find("secret-key");
        if (accessKey.isPresent() != secretKey.isPresent()) {
            throw incomplete(accessKey.or(() -> secretKey).orElseThrow());
        }
        return accessKey.map(
                key -> new Credentials(key.text(), secretKey.orElseThrow().text()));
    }

    private static ConfigException incomplete(ConfigNode found) {
        return found.error("expected access-key and secret-key together, found one of them");
    }
}
