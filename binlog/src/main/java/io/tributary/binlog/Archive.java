package io.tributary.binlog;

import io.tributary.common.gtid.GtidSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A source of files that were purged on this node, such as a backup. Any thread may call it; nothing blocks. */
public interface Archive {
    /** An archive without files. */
    Archive NONE = new Archive() {
        @Override
        public List<Archived> files() {
            return List.of();
        }

        @Override
        public Optional<Loan> borrow(String name, Runnable onDone) {
            return Optional.empty();
        }
    };

    /** All files of the archive, oldest first, whether they were purged on this node or not. */
    List<Archived> files();

    /**
     * A file of the archive.
     *
     * @param previousGtids all GTIDs of the files before it
     */
    record Archived(String name, long size, GtidSet previousGtids) {}

    /**
     * Requests a local copy of a file.
     *
     * @param onDone called, from any thread and perhaps before this method returns, when the file is available or when the request
     *     failed; it must be quick
     * @return to be closed by the caller; empty when the archive has no such file
     */
    Optional<Loan> borrow(String name, Runnable onDone);

    /** A file that is fetched to this node. It stays here until this is closed. */
    interface Loan extends AutoCloseable {
        /**
         * Path of the local copy; empty while the file is being fetched.
         *
         * @throws io.tributary.common.error.TributaryException when the file cannot be fetched
         */
        Optional<Path> path();

        @Override
        void close();
    }
}
