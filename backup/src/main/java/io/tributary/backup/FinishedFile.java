package io.tributary.backup;

import java.nio.file.Path;

/**
 * A binlog file that no longer changes.
 *
 * @param name such as {@code binlog.000001}
 * @param path the file
 * @param indexPath its sparse index; it need not exist
 * @param size bytes of the file
 * @param firstGno number of its first transaction
 * @param lastGno number of its last transaction; less than the first if it has none
 * @param firstMicros when its first transaction was committed, µs since 1970; 0 if not known
 * @param startsJournal whether the definitions of tables can be rebuilt from this file and those after it
 */
public record FinishedFile(
        String name,
        Path path,
        Path indexPath,
        long size,
        long firstGno,
        long lastGno,
        long firstMicros,
        boolean startsJournal) {}
