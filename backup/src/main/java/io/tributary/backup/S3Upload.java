package io.tributary.backup;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** An object on its way to a bucket: in one request while it fits one part, else in parts, some of them at once. */
final class S3Upload implements ObjectStore.Upload {
    private static final String BYTES = "application/octet-stream";

    private final S3ObjectStore store;
    private final S3Client client;
    private final String name;
    private final Map<String, String> metadata;
    private final int partBytes;
    private final int parallel;
    private final List<Future<CompletedPart>> parts = new ArrayList<>();
    private byte[] part;
    private int filled;
    private String id;
    private boolean finished;

    /** @param partBytes of every part but the last */
    S3Upload(S3ObjectStore store, String name, Map<String, String> metadata, long partBytes, int parallel) {
        this.store = store;
        this.client = store.client();
        this.name = name;
        this.metadata = metadata;
        this.partBytes = Math.toIntExact(partBytes);
        this.parallel = parallel;
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
        if (id == null) {
            endWhatACrashLeft();
            id = store.call(
                            name,
                            "begin it",
                            () -> client.createMultipartUpload(
                                    ask -> ask.bucket(store.bucket()).key(name).metadata(metadata)))
                    .uploadId();
        }
        if (parts.size() >= parallel) {
            completed(parts.get(parts.size() - parallel));
        }
        int number = parts.size() + 1;
        byte[] content = part;
        int length = filled;
        part = new byte[partBytes];
        filled = 0;
        parts.add(store.parts().submit(() -> send(number, content, length)));
    }

    private CompletedPart send(int number, byte[] content, int length) {
        String tag = store.call(
                        name,
                        "send part " + number,
                        () -> client.uploadPart(
                                ask -> ask.bucket(store.bucket())
                                        .key(name)
                                        .uploadId(id)
                                        .partNumber(number)
                                        .contentMD5(md5(content, length)),
                                body(content, length)))
                .eTag();
        return CompletedPart.builder().partNumber(number).eTag(tag).build();
    }

    private void endWhatACrashLeft() {
        List<MultipartUpload> left = store.call(
                name,
                "see what a crash left of it",
                () -> client.listMultipartUploads(
                                ask -> ask.bucket(store.bucket()).prefix(name))
                        .uploads());
        for (MultipartUpload upload : left) {
            if (upload.key().equals(name)) {
                abort(upload.uploadId());
            }
        }
    }

    private void abort(String uploadId) {
        store.call(
                name,
                "end an upload that was left half way",
                () -> client.abortMultipartUpload(
                        ask -> ask.bucket(store.bucket()).key(name).uploadId(uploadId)));
    }

    @Override
    public void finish() {
        if (id == null) {
            store.call(
                    name,
                    "send it",
                    () -> client.putObject(
                            ask -> ask.bucket(store.bucket())
                                    .key(name)
                                    .metadata(metadata)
                                    .contentMD5(md5(part, filled)),
                            body(part, filled)));
        } else {
            sendPart();
            List<CompletedPart> all = parts.stream().map(this::completed).toList();
            store.call(
                    name,
                    "finish it",
                    () -> client.completeMultipartUpload(ask -> ask.bucket(store.bucket())
                            .key(name)
                            .uploadId(id)
                            .multipartUpload(done -> done.parts(all))));
        }
        finished = true;
    }

    private CompletedPart completed(Future<CompletedPart> sent) {
        try {
            return sent.get();
        } catch (ExecutionException e) {
            throw store.failed(name, "send a part of it", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw store.failed(name, "wait for a part of it", e);
        }
    }

    private static RequestBody body(byte[] content, int length) {
        return RequestBody.fromContentProvider(() -> new ByteArrayInputStream(content, 0, length), length, BYTES);
    }

    private static String md5(byte[] content, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(content, 0, length);
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    @Override
    public void close() {
        if (!finished && id != null) {
            parts.forEach(sent -> sent.cancel(true));
            abort(id);
        }
    }
}
