package io.tributary.backup;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A place for whole objects by name, such as an S3 bucket: what is there is there as a whole, and never changes in part. Names
 * have parts with {@code /} between. Every method may block; failures are {@link io.tributary.common.error.TributaryException}
 * BACKUP_FAILED naming the object. One caller at a time. As text it
 * says where it is.
 */
public interface ObjectStore extends AutoCloseable {
    /** Begins an object, which replaces one of the same name once it is finished. */
    Upload begin(String name, Map<String, String> metadata);

    /** Replaces a small object as a whole: who reads it sees the old or the new one. It is durable on return. */
    void replace(String name, byte[] content);

    /** Bytes of an object; empty when there is none. */
    Optional<Long> size(String name);

    /** What was given when it was begun. */
    Map<String, String> metadata(String name);

    /**
     * Reads from an offset on what is there, up to the buffer's remaining.
     *
     * @return how many bytes; -1 at the object's end
     */
    int read(String name, long offset, ByteBuffer into);

    /** Names of all objects that begin with a prefix, in order. */
    List<String> list(String prefix);

    /** Deletes an object; nothing happens when there is none. */
    void delete(String name);

    /** Ends connections and threads; no upload is open. */
    @Override
    void close();

    /** An object on its way. */
    interface Upload extends AutoCloseable {
        /** Adds all bytes from position to limit. */
        void write(ByteBuffer bytes);

        /** Makes the object visible; it is durable on return. */
        void finish();

        /** Without {@link #finish()} before, nothing of it remains. */
        @Override
        void close();
    }
}
