package io.tributary.serve.dump;

import io.tributary.binlog.file.BinlogFile;

/** The end of what a reader may read. Any thread; the end of a file never moves back. */
interface ReadLimit {
    /** Up to the durable end. */
    ReadLimit DURABLE = new ReadLimit() {
        @Override
        public long end(BinlogFile file) {
            return file.end();
        }

        @Override
        public boolean isFinished(BinlogFile file) {
            return file.isFinished();
        }
    };

    /** Number of bytes from the file's beginning that the reader may read. */
    long end(BinlogFile file);

    /** Whether the reader may continue with the next file after {@link #end}; call this before {@code end}. */
    boolean isFinished(BinlogFile file);
}
