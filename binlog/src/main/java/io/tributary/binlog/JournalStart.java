package io.tributary.binlog;

import io.tributary.binlog.file.FileOffset;
import java.util.Optional;

/**
 * The place in the files from which on the journal can be rebuilt.
 *
 * @param file number of the newest finished file that is sufficient, or of the last file when no other is; {@link JournalLog#NO_FILE}
 *     while there is no journal
 * @param newer end of the last file, if that file is sufficient too once readers may read up to that end; until then the end may be
 *     truncated
 */
record JournalStart(int file, Optional<FileOffset> newer) {
    static final JournalStart NONE = new JournalStart(JournalLog.NO_FILE, Optional.empty());
}
