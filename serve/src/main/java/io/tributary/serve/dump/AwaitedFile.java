package io.tributary.serve.dump;

import io.tributary.binlog.Archive;
import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.file.BinlogFile;
import java.util.Optional;

/** A file that was purged here and is being fetched from the archive, and the position at which a reader begins in it. */
final class AwaitedFile implements AutoCloseable {
    private final BinlogFile file;
    private final long position;
    private final Archive.Loan loan;

    /**
     * Requests the file.
     *
     * @param arrived called, from any thread, when the file is available or cannot be fetched
     * @throws DumpRefusal when the archive does not have it
     */
    AwaitedFile(ReadableFiles files, BinlogFile file, long position, Runnable arrived) {
        this.file = file;
        this.position = position;
        this.loan = files.borrow(file, arrived)
                .orElseThrow(() -> new DumpRefusal("Could not find first log file name in binary log index file: "
                        + file.name() + " has been purged"));
    }

    String name() {
        return file.name();
    }

    long position() {
        return position;
    }

    /** Opens the file when it is available; closing the cursor releases the file. */
    Optional<FileCursor> cursor(ReadLimit limit) {
        return loan.path().map(place -> new FileCursor(file.movedTo(place), limit, loan::close));
    }

    /** Releases the file before it was opened. */
    @Override
    public void close() {
        loan.close();
    }

    @Override
    public String toString() {
        return file + ", which is being fetched from the archive";
    }
}
