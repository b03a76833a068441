package io.tributary.dumper.write;

import io.tributary.common.cluster.Lease;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.file.BinlogConfig;
import io.tributary.dumper.file.BinlogDirectory;

/**
 * The place and the conditions for writing a binlog.
 *
 * @param directory open; the writer does not close it
 * @param recovered where to continue; the chunks continue its cut
 * @param lease nothing is written while it does not hold
 * @param clock for times in the files and in metrics
 * @param failPoint called at each step; a test can end the writing there
 * @param opener opens the files that are written
 */
public record BinlogStart(
        BinlogConfig config,
        BinlogDirectory directory,
        Recovered recovered,
        Lease lease,
        Clock clock,
        FailPoint failPoint,
        FileOpener opener) {
    /** For a node that writes alone and needs no lease, with the machine's clock and disk. */
    public static BinlogStart of(BinlogConfig config, BinlogDirectory directory, Recovered recovered) {
        return new BinlogStart(
                config, directory, recovered, Lease.FOREVER, Clock.SYSTEM, FailPoint.NONE, FileOpener.SYSTEM);
    }
}
