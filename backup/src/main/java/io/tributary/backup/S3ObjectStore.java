package io.tributary.backup;

import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in an S3 bucket. A large object goes up in parts, some of them at once, each with its MD5 for the store to check; what a
 * crash left half way is ended before the same object is begun again.
 */
final class S3ObjectStore implements ObjectStore {
    private static final int NOT_FOUND = 404;
    private static final int NOTHING_THERE = 416;
    private static final int SPARE_CONNECTIONS = 8;

    private final S3Config config;
    private final String bucket;
    private final S3Client client;
    private final ExecutorService parts;

    /**
     * Nothing is asked of the store yet.
     *
     * @throws TributaryException CONFIG_INVALID when there is no bucket, only one half of the key, or an endpoint that is none
     */
    S3ObjectStore(S3Config config) {
        this.config = config;
        this.bucket = config.bucket().orElseThrow(() -> invalid("expected backup.s3.bucket, found none"));
        S3ClientBuilder builder = S3Client.builder()
                .region(Region.of(config.region()))
                .credentialsProvider(credentials(config))
                .httpClientBuilder(ApacheHttpClient.builder().maxConnections(config.parallel() + SPARE_CONNECTIONS))
                .overrideConfiguration(override -> override.apiCallTimeout(config.timeout()))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        config.endpoint()
                .ifPresent(endpoint -> builder.endpointOverride(uri(endpoint)).forcePathStyle(true));
        this.client = builder.build();
        this.parts = Executors.newFixedThreadPool(config.parallel(), task -> {
            Thread thread = new Thread(task, "backup-part");
            thread.setDaemon(true);
            return thread;
        });
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

    private static TributaryException invalid(String message) {
        return new TributaryException(ErrorCode.CONFIG_INVALID, message);
    }

    @Override
    public Upload begin(String name, Map<String, String> metadata) {
        return new S3Upload(this, name, metadata, config.part().bytes(), config.parallel());
    }

    @Override
    public void replace(String name, byte[] content) {
        try (Upload upload = new S3Upload(this, name, Map.of(), Math.max(1, content.length), 1)) {
            upload.write(ByteBuffer.wrap(content));
            upload.finish();
        }
    }

    @Override
    public Optional<Long> size(String name) {
        return head(name).map(HeadObjectResponse::contentLength);
    }

    @Override
    public Map<String, String> metadata(String name) {
        return new TreeMap<>(head(name).map(HeadObjectResponse::metadata).orElse(Map.of()));
    }

    private Optional<HeadObjectResponse> head(String name) {
        return call(name, "look at it", () -> {
            try {
                return Optional.of(client.headObject(ask -> ask.bucket(bucket).key(name)));
            } catch (S3Exception e) {
                if (e.statusCode() == NOT_FOUND) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    @Override
    public int read(String name, long offset, ByteBuffer into) {
        if (!into.hasRemaining()) {
            return 0;
        }
        String range = "bytes=" + offset + "-" + (offset + into.remaining() - 1);
        return call(name, "read it at " + offset, () -> {
            try (ResponseInputStream<GetObjectResponse> stream =
                    client.getObject(ask -> ask.bucket(bucket).key(name).range(range))) {
                byte[] bytes = stream.readNBytes(into.remaining());
                into.put(bytes);
                return bytes.length;
            } catch (S3Exception e) {
                if (e.statusCode() == NOTHING_THERE) {
                    return -1;
                }
                throw e;
            } catch (IOException e) {
                throw failed(name, "read it at " + offset, e);
            }
        });
    }

    @Override
    public List<String> list(String prefix) {
        return call(
                prefix,
                "list what begins so",
                () -> client.listObjectsV2Paginator(ask -> ask.bucket(bucket).prefix(prefix)).contents().stream()
                        .map(S3Object::key)
                        .sorted()
                        .toList());
    }

    @Override
    public void delete(String name) {
        call(
                name,
                "delete it",
                () -> client.deleteObject(ask -> ask.bucket(bucket).key(name)));
    }

    @Override
    public String toString() {
        return "s3://" + bucket;
    }

    S3Client client() {
        return client;
    }

    String bucket() {
        return bucket;
    }

    ExecutorService parts() {
        return parts;
    }

    /**
     * Asks the store something; its failure is told with the object and what was to be done. Not all that goes wrong on the way comes as an
     * SdkException: a connection that ends while its client waits for "100 Continue" comes as an UncheckedIOException.
     */
    <T> T call(String name, String action, Supplier<T> asking) {
        try {
            return asking.get();
        } catch (SdkException | UncheckedIOException e) {
            throw failed(name, action, e);
        }
    }

    TributaryException failed(String name, String action, Throwable cause) {
        return new TributaryException(
                ErrorCode.BACKUP_FAILED,
                "s3://" + bucket + "/" + name + ": expected to " + action + ", found " + cause.getMessage(),
                cause);
    }

    @Override
    public void close() {
        parts.shutdownNow();
        client.close();
    }
}
