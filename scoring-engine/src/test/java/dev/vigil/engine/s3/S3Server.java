package dev.vigil.engine.s3;

import dev.vigil.engine.checkpoint.CheckpointTarget.Bucket;
import dev.vigil.engine.checkpoint.CheckpointTarget.Credentials;
import java.net.URI;
import java.util.Optional;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;

/** A server that speaks S3, with one bucket, in memory. */
public final class S3Server implements AutoCloseable {
    private static final String BUCKET = "checkpoints";
    private static final Credentials CREDENTIALS = new Credentials("test-access", "test-secret");

    private final BlobStoreContext objects;
    private final S3Proxy proxy;

    private S3Server(BlobStoreContext objects, S3Proxy proxy) {
        this.objects = objects;
        this.proxy = proxy;
    }

    /** On a free port. */
    public static S3Server start() throws Exception {
        BlobStoreContext objects = ContextBuilder.newBuilder("transient").build(BlobStoreContext.class);
        objects.getBlobStore().createContainerInLocation(null, BUCKET);
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(objects.getBlobStore())
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, CREDENTIALS.accessKey(), CREDENTIALS.secretKey())
                .ignoreUnknownHeaders(true)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .build();
        proxy.start();
        return new S3Server(objects, proxy);
    }

    /** How to reach it. */
    public Bucket bucket(String prefix) {
        return bucket(prefix, CREDENTIALS);
    }

    Bucket bucket(String prefix, Credentials credentials) {
        return new Bucket(
                BUCKET,
                prefix,
                Optional.of(URI.create("http://127.0.0.1:" + proxy.getPort())),
                Optional.empty(),
                true,
                Optional.of(credentials));
    }

    @Override
    public void close() throws Exception {
        proxy.stop();
        objects.close();
    }
}
