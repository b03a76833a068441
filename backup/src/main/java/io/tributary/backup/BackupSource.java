package io.tributary.backup;

/**
 * The binlog that is backed up.
 *
 * @param files its finished files
 * @param cluster the UUID of the files' GTIDs
 * @param known updated with the files that are backed up
 */
public record BackupSource(FinishedFiles files, String cluster, BackupState known) {}
