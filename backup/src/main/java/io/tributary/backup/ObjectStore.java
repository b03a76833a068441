package io.tributary.backup;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * A place for whole objects by name, such as an S3 bucket: what is there is there as a whole, and never changes in part. Names
 * have parts with {@code /} between. Every method may block; failures are {@link io.tributary.common.error.TributaryException}
 * BACKUP_FAILED, which may pass, or BACKUP_REFUSED, which will not, naming the object. Any thread. As text it says where it is.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * Begins an object; what an earlier upload of the same bytes under this name left half way is used where the store can. It
     * never replaces one: where there is one when it is finished, that fails with BACKUP_CONFLICT.
     */
    Upload begin(String name, Map<String, String> metadata);

    /** Replaces a small object as a whole: who reads it sees the old or the new one. It is durable on return. */
    void replace(String name, byte[] content);

    /**
     * As {@link #replace(String, byte[])}, if it still is what was read.
     *
     * @param tag as it was read; empty when there was none
     * @return its new tag
     * @throws io.tributary.common.error.TributaryException BACKUP_CONFLICT when somebody else has replaced it since
     */
    String replace(String name, byte[] content, Optional<String> tag);

    /** A small object, read whole; empty when there is none. */
    Optional<Tagged> small(String name);

    /**
     * A small object as it was read.
     *
     * @param tag another one whenever the bytes are others
     */
    record Tagged(byte[] bytes, String tag) {}

    /** Bytes of an object; empty when there is none. */
    Optional<Long> size(String name);

    /** What was given when it was begun. */
    Map<String, String> metadata(String name);

    /**
     * Begins to read a range, where the store can in the background.
     *
     * @return all its bytes; fails when the object is missing or ends before
     */
    Future<ByteBuffer> fetch(String name, long offset, int length);

    /** How many {@link #fetch} should be on their way at once. */
    int parallel();

    /** Names of all objects that begin with a prefix, in order. */
    List<String> list(String prefix);

    /** Deletes an object; nothing happens when there is none. */
    void delete(String name);

    /** Ends all uploads below a prefix that were left half way; none may be open. */
    void endUnfinished(String prefix);

    /** Ends connections and threads; no upload is open. */
    @Override
    void close();

    /** An object on its way. */
    interface Upload extends AutoCloseable {
        /** Adds all bytes from position to limit. */
        void write(ByteBuffer bytes);

        /** How many bytes went over the wire so far: less than were written where an earlier upload left some. */
        long sent();

        /** Makes the object visible; it is durable on return. */
        void finish();

        /** Without {@link #finish()} before, what was sent stays for the next upload under this name where the store can. */
        @Override
        void close();
    }
}
