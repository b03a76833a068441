package io.tributary.binlog.write;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.pipeline.Clock;

/**
 * The disk of a binlog: where and how its files are written.
 *
 * @param directory open; its lock is held, and the writer does not close it
 * @param opener opens the files that are written
 * @param clock for times in the files and in metrics
 */
public record BinlogDisk(BinlogDirectory directory, BinlogConfig config, FileOpener opener, Clock clock) {
    /** The files of this machine. */
    public static BinlogDisk of(BinlogDirectory directory, BinlogConfig config, Clock clock) {
        return new BinlogDisk(directory, config, FileOpener.SYSTEM, clock);
    }
}
