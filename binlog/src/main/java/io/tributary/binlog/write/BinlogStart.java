package io.tributary.binlog.write;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.cluster.Lease;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;

/**
 * The place and the conditions for writing a binlog.
 *
 * @param recovered where to continue; the chunks continue its cut
 * @param lease nothing is written while it does not hold
 * @param failPoint called at each step; a test can end the writing there
 */
public record BinlogStart(BinlogDisk disk, Recovered recovered, Lease lease, FailPoint failPoint) {
    /** For a node that writes alone and needs no lease, with the machine's clock and disk. */
    public static BinlogStart of(BinlogConfig config, BinlogDirectory directory, Recovered recovered) {
        return new BinlogStart(
                BinlogDisk.of(directory, config, Clock.SYSTEM), recovered, Lease.FOREVER, FailPoint.NONE);
    }

    BinlogFiles files() {
        return recovered.files();
    }
}
