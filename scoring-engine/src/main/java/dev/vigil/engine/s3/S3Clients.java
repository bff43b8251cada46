package dev.vigil.engine.s3;

import dev.vigil.engine.checkpoint.CheckpointTarget.Bucket;
import dev.vigil.engine.checkpoint.CheckpointTarget.Credentials;
import dev.vigil.service.ServiceException;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Clients that work with Amazon's S3 and with servers that know only the protocol's older part. */
final class S3Clients {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private S3Clients() {}

    /** @throws ServiceException if no region is configured, and the environment has none either */
    static S3Client open(Bucket bucket) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_WITHIN)
                        .socketTimeout(ANSWER_WITHIN))
                .credentialsProvider(credentials(bucket.credentials()))
                .forcePathStyle(bucket.pathStyle())
                // Checked by Content-MD5 on the way there and by the manifest's SHA-256 on the way back.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        bucket.endpoint().ifPresent(builder::endpointOverride);
        Optional<String> region =
                bucket.region().isEmpty() && bucket.endpoint().isPresent() ? Optional.of("us-east-1") : bucket.region();
        region.map(Region::of).ifPresent(builder::region);
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw new ServiceException(
                    "scoring.checkpoint.s3.region: expected a region there, or AWS_REGION in the environment, found neither",
                    e);
        }
    }

    private static AwsCredentialsProvider credentials(Optional<Credentials> configured) {
        return configured
                .<AwsCredentialsProvider>map(keys -> StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(keys.accessKey(), keys.secretKey())))
                .orElseGet(() -> DefaultCredentialsProvider.builder().build());
    }
}
