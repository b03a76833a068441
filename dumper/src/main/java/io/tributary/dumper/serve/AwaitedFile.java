package io.tributary.dumper.serve;

import io.tributary.dumper.Archive;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.ServedFiles;
import java.util.Optional;

/** A file that was purged here and is on its way from the archive, and where in it a reader wants to begin. */
final class AwaitedFile implements AutoCloseable {
    private final BinlogFile file;
    private final long position;
    private final Archive.Loan loan;

    /**
     * Has it brought.
     *
     * @param arrived told, from any thread, when it is there or cannot be had
     * @throws DumpRefusal when the archive does not have it
     */
    AwaitedFile(ServedFiles files, BinlogFile file, long position, Runnable arrived) {
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

    /** Opens it once it is there; who closes the cursor gives the file back. */
    Optional<FileCursor> cursor(Horizon horizon) {
        return loan.path().map(place -> new FileCursor(file.movedTo(place), horizon, loan::close));
    }

    /** Gives it back before it was there. */
    @Override
    public void close() {
        loan.close();
    }

    @Override
    public String toString() {
        return file + ", which is on its way from the archive";
    }
}
