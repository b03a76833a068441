package io.tributary.dumper;

import java.util.Optional;

/**
 * From where in the files the journal can be rebuilt.
 *
 * @param file number of the newest finished file that will do, or of the last one where no other does; {@link JournalLog#NO_FILE} while
 *     there is no journal
 * @param newer end of the last file, where that one will do too once readers may read so far: until then its end may be cut off
 */
record JournalStart(int file, Optional<BinlogPlace> newer) {
    static final JournalStart NONE = new JournalStart(JournalLog.NO_FILE, Optional.empty());
}
