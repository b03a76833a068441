package io.tributary.dumper.serve;

import io.tributary.dumper.BinlogFiles;

/** Why a dump cannot begin or go on; a replica that gets it (error 1236) gives up for good. */
final class DumpRefusal extends RuntimeException {
    DumpRefusal(String message) {
        super(message);
    }

    /** The file that a reader needs next is gone: what it misses cannot be passed over. */
    static DumpRefusal purged(int number, BinlogFiles files) {
        return new DumpRefusal(
                "binlog file " + number + ", which the reader needs next, has been purged; the oldest is "
                        + files.first().name());
    }
}
