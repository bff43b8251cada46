package dev.vigil.engine.s3;

import dev.vigil.engine.checkpoint.CheckpointStorage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects below a prefix of a bucket. An object is there as a whole or not at all once its upload ends, and every read
 * and list after that sees it: S3's own guarantees, so nothing is renamed. A file is one upload of at most 5 GB.
 */
final class S3CheckpointStorage implements CheckpointStorage {
    private final S3Client client;
    private final String bucket;
    private final String prefix;

    /** @param prefix of all keys, with a slash at its end */
    S3CheckpointStorage(S3Client client, String bucket, String prefix) {
        this.client = client;
        this.bucket = bucket;
        this.prefix = prefix;
    }

    private interface Request<T> {
        T send() throws IOException;
    }

    private <T> T send(String what, String path, Request<T> request) throws IOException {
        try {
            return request.send();
        } catch (NoSuchKeyException e) {
            throw new NoSuchFileException(uri(path), null, "no such object");
        } catch (SdkException e) {
            throw new IOException("cannot " + what + " " + uri(path) + ": " + e.getMessage(), e);
        }
    }

    private String uri(String path) {
        return "s3://" + bucket + "/" + prefix + path;
    }

    @Override
    public void put(Path local, String path) throws IOException {
        String md5;
        try (InputStream in = Files.newInputStream(local)) {
            md5 = md5(in);
        }
        put(RequestBody.fromFile(local), md5, path);
    }

    @Override
    public void putBytes(byte[] bytes, String path) throws IOException {
        put(RequestBody.fromBytes(bytes), md5(new java.io.ByteArrayInputStream(bytes)), path);
    }

    /** The server refuses what does not match the hash, so that a damaged upload never appears. */
    private void put(RequestBody body, String md5, String path) throws IOException {
        send(
                "write",
                path,
                () -> client.putObject(
                        request -> request.bucket(bucket).key(prefix + path).contentMD5(md5), body));
    }

    private static String md5(InputStream content) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    @Override
    public void fetch(String path, Path local) throws IOException {
        send("read", path, () -> {
            try (InputStream object = client.getObject(get(path))) {
                return Files.copy(object, local, StandardCopyOption.REPLACE_EXISTING);
            }
        });
    }

    @Override
    public byte[] read(String path) throws IOException {
        return send("read", path, () -> client.getObjectAsBytes(get(path)).asByteArray());
    }

    private GetObjectRequest get(String path) {
        return GetObjectRequest.builder().bucket(bucket).key(prefix + path).build();
    }

    @Override
    public List<String> list(String folder) throws IOException {
        String start = prefix + (folder.isEmpty() ? "" : folder + "/");
        return send("list", folder, () -> {
            List<String> paths = new ArrayList<>();
            for (S3Object object : client.listObjectsV2Paginator(
                            request -> request.bucket(bucket).prefix(start))
                    .contents()) {
                paths.add(object.key().substring(prefix.length()));
            }
            Collections.sort(paths);
            return paths;
        });
    }

    @Override
    public void delete(String path) throws IOException {
        send(
                "delete",
                path,
                () -> client.deleteObject(request -> request.bucket(bucket).key(prefix + path)));
    }
}
