package io.tributary.dumper.serve;

import io.tributary.dumper.BinlogFile;

/** How far a reader may read. Any thread; the end of a file never goes back. */
interface Horizon {
    /** Up to the durable end. */
    Horizon DURABLE = new Horizon() {
        @Override
        public long end(BinlogFile file) {
            return file.end();
        }

        @Override
        public boolean isFinished(BinlogFile file) {
            return file.isFinished();
        }
    };

    /** Bytes from a file's beginning that the reader may have. */
    long end(BinlogFile file);

    /** Whether the reader may go on to the next file behind {@link #end}; ask this before the end. */
    boolean isFinished(BinlogFile file);
}
