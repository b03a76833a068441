package io.tributary.node.log;

import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.Wakeup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that compresses the older files of a log with gzip, the oldest first. The original is deleted when its compressed form is complete; what an
 * earlier process has not finished is compressed again. After a failure the file stays as it is until the next rotation.
 */
final class LogCompression implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(LogCompression.class);
    private static final int BLOCK = 64 << 10;

    private final LogFile log;
    private final Wakeup rotated;
    private final byte[] block = new byte[BLOCK];
    private long seen = -1; // rotations after which nothing was left
    private Source source; // null: none
    private OutputStream out;

    /** Puts the complete compressed file into the place of its original. */
    interface Replacement {
        void make() throws IOException;
    }

    /**
     * An older file, with an empty file for its compressed form ({@link LogFile#part}).
     *
     * @param in its content, also after it was renamed
     * @param replacement what to do when it is compressed
     */
    record Source(Path path, InputStream in, Replacement replacement) {}

    LogCompression(LogFile log, Wakeup rotated) {
        this.log = log;
        this.rotated = rotated;
    }

    @Override
    public String name() {
        return "log-files";
    }

    @Override
    public int doWork() {
        try {
            return source == null ? begin() : copy();
        } catch (IOException e) {
            LOG.warn(
                    "log file not compressed: file={} error=\"{}\" effect=\"tried again after the next rotation\"",
                    source == null ? log.part() : source.path(),
                    e.toString());
            seen = log.rotations();
            drop();
            return 0;
        }
    }

    private int begin() throws IOException {
        long now = log.rotations();
        if (now == seen) {
            rotated.listen();
            return 0;
        }
        Optional<Source> next = log.nextSource();
        if (next.isEmpty()) {
            seen = now;
            return 0;
        }
        source = next.get();
        out = new GZIPOutputStream(Files.newOutputStream(log.part()), BLOCK);
        return 1;
    }

    private int copy() throws IOException {
        int length = source.in().read(block);
        if (length > 0) {
            out.write(block, 0, length);
            return 1;
        }
        closeStreams();
        source.replacement().make();
        source = null;
        return 1;
    }

    private void closeStreams() throws IOException {
        try {
            if (out != null) {
                out.close();
            }
        } finally {
            out = null;
            source.in().close();
        }
    }

    /** Removes what is not complete. */
    private void drop() {
        if (source == null) {
            return;
        }
        try {
            closeStreams();
            Files.deleteIfExists(log.part());
        } catch (IOException e) {
            LOG.debug("incomplete compressed log file not removed: file={}", log.part(), e);
        }
        source = null;
    }

    @Override
    public void close() {
        drop();
    }
}
