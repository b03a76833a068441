package io.tributary.dumper;

import io.tributary.common.gtid.GtidSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where files can still be had that were purged here, such as a backup. Any thread; nothing blocks. */
public interface Archive {
    /** There is none. */
    Archive NONE = new Archive() {
        @Override
        public List<Archived> files() {
            return List.of();
        }

        @Override
        public Optional<Loan> borrow(String name, Runnable told) {
            return Optional.empty();
        }
    };

    /** All that it has, oldest first, whether purged here or not. */
    List<Archived> files();

    /** @param previousGtids all GTIDs of the files before it */
    record Archived(String name, long size, GtidSet previousGtids) {}

    /**
     * Has a file brought.
     *
     * @param told called, from any thread and perhaps at once, when it is there or cannot be had; quick
     * @return to be closed; empty when there is no such file
     */
    Optional<Loan> borrow(String name, Runnable told);

    /** A file that is brought here, and stays until it is given back. */
    interface Loan extends AutoCloseable {
        /**
         * Where it is; empty while it is on its way.
         *
         * @throws io.tributary.common.error.TributaryException when it cannot be had
         */
        Optional<Path> path();

        @Override
        void close();
    }
}
