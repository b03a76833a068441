package io.tributary.backup.store;

import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Creates the client of an S3 store, with the address and the signing key of the configuration. */
final class S3Access {
    private static final int SPARE_CONNECTIONS = 8;

    private S3Access() {}

    /**
     * Creates the client; the store is not called yet.
     *
     * @throws TributaryException CONFIG_INVALID if only one half of the key is set, or the endpoint is no address
     */
    static S3Client client(S3Config config) {
        return client(config, Apache5HttpClient.builder());
    }

    /** @param http a client for HTTP with settings of the caller's */
    static S3Client client(S3Config config, Apache5HttpClient.Builder http) {
        S3ClientBuilder builder = S3Client.builder()
                .region(Region.of(config.region()))
                .credentialsProvider(credentials(config))
                .httpClientBuilder(http.maxConnections(config.parallel() + SPARE_CONNECTIONS))
                .overrideConfiguration(override -> override.apiCallTimeout(config.timeout())
                        .apiCallAttemptTimeout(config.timeout().dividedBy(2)))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        config.endpoint()
                .ifPresent(endpoint -> builder.endpointOverride(uri(endpoint)).forcePathStyle(config.pathStyle()));
        return builder.build();
    }

    private static AwsCredentialsProvider credentials(S3Config config) {
        if (config.accessKey().isPresent() != config.secretKey().isPresent()) {
            throw invalid("expected both backup.s3.access-key and backup.s3.secret-key or none, found one");
        }
        return config.accessKey()
                .<AwsCredentialsProvider>map(name -> StaticCredentialsProvider.create(AwsBasicCredentials.create(
                        name, config.secretKey().map(Secret::reveal).orElseThrow())))
                .orElseGet(() -> DefaultCredentialsProvider.builder().build());
    }

    private static URI uri(String endpoint) {
        URI uri;
        try {
            uri = URI.create(endpoint);
        } catch (IllegalArgumentException e) {
            throw invalid("backup.s3.endpoint: expected an address such as https://host:port, found " + endpoint);
        }
        if (uri.getScheme() == null || !uri.getScheme().startsWith("http") || uri.getHost() == null) {
            throw invalid("backup.s3.endpoint: expected an address such as https://host:port, found " + endpoint);
        }
        return uri;
    }

    static TributaryException invalid(String message) {
        return new TributaryException(ErrorCode.CONFIG_INVALID, message);
    }
}
