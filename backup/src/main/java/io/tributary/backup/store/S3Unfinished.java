package io.tributary.backup.store;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** A multipart upload that is not finished: a new one, or one that a crash or a failure left incomplete, with its existing parts. */
final class S3Unfinished {
    private static final Logger LOG = LoggerFactory.getLogger(S3Unfinished.class);

    private final String id;
    private final Map<Integer, String> tags;

    private S3Unfinished(String id, Map<Integer, String> tags) {
        this.id = id;
        this.tags = tags;
    }

    String id() {
        return id;
    }

    /** The tag of a part that exists with these bytes. */
    Optional<String> tagOf(int number, Md5 sum) {
        return Optional.ofNullable(tags.get(number)).filter(sum::isNamedBy);
    }

    /**
     * Resumes the upload whose first part is this one, and aborts all others of the object; without one it starts a new upload. A finished binlog
     * file's first part contains when and where the file began, so no other file has the same.
     */
    static S3Unfinished resume(S3ObjectStore store, String name, Map<String, String> metadata, Md5 first) {
        S3Unfinished found = null;
        for (MultipartUpload left : store.unfinished(name)) {
            if (left.key().equals(name)) {
                S3Unfinished one = new S3Unfinished(left.uploadId(), tags(store, name, left.uploadId()));
                if (found == null && one.tagOf(1, first).isPresent()) {
                    LOG.info("upload resumed: object={}/{} parts={}", store, name, one.tags.size());
                    found = one;
                } else {
                    store.end(left);
                }
            }
        }
        return found == null ? begin(store, name, metadata) : found;
    }

    private static S3Unfinished begin(S3ObjectStore store, String name, Map<String, String> metadata) {
        String id = store.call(
                        name,
                        "begin it",
                        () -> store.client()
                                .createMultipartUpload(ask ->
                                        ask.bucket(store.bucket()).key(name).metadata(metadata)))
                .uploadId();
        return new S3Unfinished(id, Map.of());
    }

    private static Map<Integer, String> tags(S3ObjectStore store, String name, String id) {
        S3Client client = store.client();
        return store.call(name, "list its parts", () -> {
            Map<Integer, String> tags = new TreeMap<>();
            client.listPartsPaginator(
                            ask -> ask.bucket(store.bucket()).key(name).uploadId(id))
                    .parts()
                    .forEach(part -> tags.put(part.partNumber(), part.eTag()));
            return tags;
        });
    }
}
