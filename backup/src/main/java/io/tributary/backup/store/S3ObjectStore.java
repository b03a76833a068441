package io.tributary.backup.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in an S3 bucket. A large object is sent in parts, some of them at once, each with its MD5 so that the store can check it. An upload that a
 * crash left incomplete is resumed. The client retries a call that fails or times out, up to three times within the timeout; it does not retry a call
 * that the store refuses (no permission, no bucket).
 */
public final class S3ObjectStore implements ObjectStore {
    private final S3Config config;
    private final String bucket;
    private final S3Client client;
    private final ExecutorService parts;

    /**
     * Creates the store object; the store is not called yet.
     *
     * @throws TributaryException CONFIG_INVALID if there is no bucket, only one half of the key, or the endpoint is no address
     */
    public S3ObjectStore(S3Config config) {
        this(config, S3Access.client(config));
    }

    /** @param client of this configuration; closed with this object */
    S3ObjectStore(S3Config config, S3Client client) {
        this.config = config;
        this.bucket = config.bucket().orElseThrow(() -> S3Access.invalid("expected backup.s3.bucket, found none"));
        this.client = client;
        this.parts = Executors.newFixedThreadPool(config.parallel(), task -> {
            Thread thread = new Thread(task, "backup-part");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public Upload begin(String name, Map<String, String> metadata) {
        return new S3Upload(this, name, metadata, config.part().bytes());
    }

    @Override
    public void replace(String name, byte[] content) {
        call(name, "send it", () -> put(name, content, ask -> {}));
    }

    @Override
    public String replace(String name, byte[] content, Optional<String> tag) {
        PutObjectResponse answer = tag.isEmpty()
                ? ifNone(name, "send it", condition -> put(name, content, ask -> ask.ifNoneMatch(condition)))
                : call(name, "replace it", () -> {
                    try {
                        return put(name, content, ask -> ask.ifMatch(tag.get()));
                    } catch (S3Exception e) {
                        throwUnlessConditionsAreUnknown(e);
                        return put(name, content, ask -> {});
                    }
                });
        return answer.eTag();
    }

    private PutObjectResponse put(String name, byte[] content, Consumer<PutObjectRequest.Builder> condition) {
        return client.putObject(
                ask -> {
                    ask.bucket(bucket).key(name).contentMD5(new Md5(content, content.length).base64());
                    condition.accept(ask);
                },
                S3Upload.body(content, content.length));
    }

    /**
     * Creates an object only if there is none; a store that does not support conditions creates it in any case.
     *
     * @param making called with the condition, which may be null
     * @throws TributaryException BACKUP_CONFLICT if there is one
     */
    <T> T ifNone(String name, String action, Function<String, T> making) {
        return call(name, action, () -> {
            try {
                return making.apply("*");
            } catch (S3Exception e) {
                throwUnlessConditionsAreUnknown(e);
                return making.apply(null);
            }
        });
    }

    private static void throwUnlessConditionsAreUnknown(S3Exception e) {
        if (e.statusCode() != S3Failure.NOT_IMPLEMENTED) {
            throw e;
        }
    }

    @Override
    public Optional<Tagged> small(String name) {
        return call(name, "read it", () -> {
            try (ResponseInputStream<GetObjectResponse> stream =
                    client.getObject(ask -> ask.bucket(bucket).key(name))) {
                return Optional.of(
                        new Tagged(stream.readAllBytes(), stream.response().eTag()));
            } catch (NoSuchKeyException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw cut(name, e);
            }
        });
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
        return call(name, "read its properties", () -> {
            try {
                return Optional.of(client.headObject(ask -> ask.bucket(bucket).key(name)));
            } catch (S3Exception e) {
                if (e.statusCode() == S3Failure.NOT_FOUND) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    @Override
    public Future<ByteBuffer> fetch(String name, long offset, int length) {
        return parts.submit(() -> read(name, offset, length));
    }

    @Override
    public int parallel() {
        return config.parallel();
    }

    private ByteBuffer read(String name, long offset, int length) {
        if (length == 0) {
            return ByteBuffer.allocate(0);
        }
        String range = "bytes=" + offset + "-" + (offset + length - 1);
        byte[] bytes = call(name, "read " + range, () -> {
            try (ResponseInputStream<GetObjectResponse> stream =
                    client.getObject(ask -> ask.bucket(bucket).key(name).range(range))) {
                return stream.readNBytes(length);
            } catch (NoSuchKeyException e) {
                throw new TributaryException(
                        ErrorCode.BACKUP_CORRUPT, this + "/" + name + ": expected an object, found none", e);
            } catch (IOException e) {
                throw cut(name, e);
            }
        });
        if (bytes.length < length) {
            throw new TributaryException(
                    ErrorCode.BACKUP_FAILED,
                    this + "/" + name + ": expected " + range + ", found " + bytes.length + " bytes");
        }
        return ByteBuffer.wrap(bytes);
    }

    /** A connection that broke during the transfer. */
    private TributaryException cut(String name, IOException cause) {
        return new TributaryException(
                ErrorCode.BACKUP_FAILED, this + "/" + name + ": expected to read it, found " + cause, cause);
    }

    @Override
    public List<String> list(String prefix) {
        return call(
                prefix,
                "list the objects with this prefix",
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
    public void endUnfinished(String prefix) {
        unfinished(prefix).forEach(this::end);
    }

    List<MultipartUpload> unfinished(String prefix) {
        return call(
                prefix,
                "list incomplete uploads",
                () -> client
                        .listMultipartUploadsPaginator(ask -> ask.bucket(bucket).prefix(prefix))
                        .uploads()
                        .stream()
                        .toList());
    }

    void end(MultipartUpload left) {
        call(
                left.key(),
                "abort an incomplete upload",
                () -> client.abortMultipartUpload(
                        ask -> ask.bucket(bucket).key(left.key()).uploadId(left.uploadId())));
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
     * Calls the store; a failure contains the object and the action. Not every failure is an SdkException: a connection that ends while its client
     * waits for "100 Continue" causes an UncheckedIOException.
     */
    <T> T call(String name, String action, Supplier<T> asking) {
        try {
            return asking.get();
        } catch (SdkException | UncheckedIOException e) {
            throw S3Failure.of(this + "/" + name, action, e);
        }
    }

    @Override
    public void close() {
        parts.shutdownNow();
        client.close();
    }
}
