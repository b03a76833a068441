package io.tributary.backup;

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
 * Objects in an S3 bucket. A large object goes up in parts, some of them at once, each with its MD5 for the store to check; what a
 * crash left half way is gone on with. The client itself tries a call that fails or hangs again, up to three times within the
 * timeout; what the store refuses (no rights, no bucket) it does not.
 */
final class S3ObjectStore implements ObjectStore {
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
        this.bucket = config.bucket().orElseThrow(() -> S3Access.invalid("expected backup.s3.bucket, found none"));
        this.client = S3Access.client(config);
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
     * Has an object made where there is none; a store that knows no conditions makes it all the same.
     *
     * @param making given the condition, which may be null
     * @throws TributaryException BACKUP_CONFLICT when there is one
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
        return call(name, "look at it", () -> {
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

    /** A connection that broke while bytes came. */
    private TributaryException cut(String name, IOException cause) {
        return new TributaryException(
                ErrorCode.BACKUP_FAILED, this + "/" + name + ": expected to read it, found " + cause, cause);
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
    public void endUnfinished(String prefix) {
        unfinished(prefix).forEach(this::end);
    }

    List<MultipartUpload> unfinished(String prefix) {
        return call(
                prefix,
                "see which uploads were left half way",
                () -> client
                        .listMultipartUploadsPaginator(ask -> ask.bucket(bucket).prefix(prefix))
                        .uploads()
                        .stream()
                        .toList());
    }

    void end(MultipartUpload left) {
        call(
                left.key(),
                "end an upload that was left half way",
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
     * Asks the store something; its failure is told with the object and what was to be done. Not all that goes wrong on the way comes as an
     * SdkException: a connection that ends while its client waits for "100 Continue" comes as an UncheckedIOException.
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
