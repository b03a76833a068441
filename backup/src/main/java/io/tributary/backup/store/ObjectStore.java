package io.tributary.backup.store;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * A store of whole objects by name, such as an S3 bucket: an object is visible only as a whole, and never changes in part. Names have parts with
 * {@code /} between them. Every method may block. Failures are {@link io.tributary.common.error.TributaryException} BACKUP_FAILED, which may pass, or
 * BACKUP_REFUSED, which will not, with the name of the object. Any thread. Its text form is its location.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * Starts an object. The incomplete data of an earlier upload of the same bytes under this name is used if the store supports it. It never
     * replaces an object: if there is one when it is finished, that fails with BACKUP_CONFLICT.
     */
    Upload begin(String name, Map<String, String> metadata);

    /** Replaces a small object as a whole: a reader sees the old or the new one. It is durable on return. */
    void replace(String name, byte[] content);

    /**
     * Like {@link #replace(String, byte[])}, but only if the object has not changed since it was read.
     *
     * @param tag as it was read; empty if there was none
     * @return its new tag
     * @throws io.tributary.common.error.TributaryException BACKUP_CONFLICT if it was replaced by another writer since
     */
    String replace(String name, byte[] content, Optional<String> tag);

    /** A small object, read as a whole; empty if there is none. */
    Optional<Tagged> small(String name);

    /**
     * A small object as it was read.
     *
     * @param tag differs whenever the bytes differ
     */
    record Tagged(byte[] bytes, String tag) {}

    /** Bytes of an object; empty if there is none. */
    Optional<Long> size(String name);

    /** The metadata that was given when it was started. */
    Map<String, String> metadata(String name);

    /**
     * Starts to read a range, in the background if the store supports it.
     *
     * @return all its bytes; fails if the object is missing or ends before
     */
    Future<ByteBuffer> fetch(String name, long offset, int length);

    /** How many {@link #fetch} calls should run at the same time. */
    int parallel();

    /** Names of all objects with a prefix, in order. */
    List<String> list(String prefix);

    /** Deletes an object; no error if there is none. */
    void delete(String name);

    /** Aborts all incomplete uploads below a prefix; none may be open. */
    void endUnfinished(String prefix);

    /** Closes connections and threads; no upload is open. */
    @Override
    void close();

    /** An object that is being written. */
    interface Upload extends AutoCloseable {
        /** Adds all bytes from position to limit. */
        void write(ByteBuffer bytes);

        /** How many bytes were sent over the network so far: less than were written if an earlier upload left some. */
        long sent();

        /** Makes the object visible; it is durable on return. */
        void finish();

        /** Without {@link #finish()} before, the sent data is kept for the next upload under this name if the store supports it. */
        @Override
        void close();
    }
}
