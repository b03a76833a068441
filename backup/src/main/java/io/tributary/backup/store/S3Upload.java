package io.tributary.backup.store;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object that is being sent to a bucket: in one request if it fits into one part, else in parts, some of them at once. Parts of an earlier
 * incomplete upload are not sent again if they have the same MD5.
 */
final class S3Upload implements ObjectStore.Upload {
    private static final String BYTES = "application/octet-stream";

    private final S3ObjectStore store;
    private final S3Client client;
    private final String name;
    private final Map<String, String> metadata;
    private final int partBytes;
    private final List<Future<CompletedPart>> parts = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private byte[] part;
    private int filled;
    private S3Unfinished unfinished;

    /** @param partBytes of every part except the last */
    S3Upload(S3ObjectStore store, String name, Map<String, String> metadata, long partBytes) {
        this.store = store;
        this.client = store.client();
        this.name = name;
        this.metadata = metadata;
        this.partBytes = Math.toIntExact(partBytes);
        this.part = new byte[this.partBytes];
    }

    @Override
    public void write(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (filled == partBytes) {
                sendPart();
            }
            int count = Math.min(bytes.remaining(), partBytes - filled);
            bytes.get(part, filled, count);
            filled += count;
        }
    }

    private void sendPart() {
        if (unfinished == null) {
            unfinished = S3Unfinished.resume(store, name, metadata, new Md5(part, filled));
        }
        if (parts.size() >= store.parallel()) {
            completed(parts.get(parts.size() - store.parallel()));
        }
        int number = parts.size() + 1;
        byte[] content = part;
        int length = filled;
        part = new byte[partBytes];
        filled = 0;
        parts.add(store.parts().submit(() -> send(number, content, length)));
    }

    private CompletedPart send(int number, byte[] content, int length) {
        Md5 sum = new Md5(content, length);
        String tag = unfinished.tagOf(number, sum).orElseGet(() -> {
            String fresh = store.call(
                            name,
                            "send part " + number,
                            () -> client.uploadPart(
                                    ask -> ask.bucket(store.bucket())
                                            .key(name)
                                            .uploadId(unfinished.id())
                                            .partNumber(number)
                                            .contentMD5(sum.base64()),
                                    body(content, length)))
                    .eTag();
            sent.addAndGet(length);
            return fresh;
        });
        return CompletedPart.builder().partNumber(number).eTag(tag).build();
    }

    @Override
    public long sent() {
        return sent.get();
    }

    @Override
    public void finish() {
        if (unfinished == null) {
            Md5 sum = new Md5(part, filled);
            store.ifNone(
                    name,
                    "send it",
                    condition -> client.putObject(
                            ask -> ask.bucket(store.bucket())
                                    .key(name)
                                    .metadata(metadata)
                                    .ifNoneMatch(condition)
                                    .contentMD5(sum.base64()),
                            body(part, filled)));
            sent.addAndGet(filled);
            return;
        }
        sendPart();
        List<CompletedPart> all = parts.stream().map(this::completed).toList();
        store.ifNone(
                name,
                "finish it",
                condition -> client.completeMultipartUpload(ask -> ask.bucket(store.bucket())
                        .key(name)
                        .uploadId(unfinished.id())
                        .ifNoneMatch(condition)
                        .multipartUpload(done -> done.parts(all))));
    }

    private CompletedPart completed(Future<CompletedPart> part) {
        return AsyncTask.result(part, store + "/" + name, "send a part of it");
    }

    static RequestBody body(byte[] content, int length) {
        return RequestBody.fromContentProvider(() -> new ByteArrayInputStream(content, 0, length), length, BYTES);
    }

    @Override
    public void close() {
        parts.forEach(part -> part.cancel(true));
    }
}
