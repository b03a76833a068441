package io.tributary.dumper.write;

import io.tributary.common.cluster.Lease;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.Recovered;

/**
 * Where and how a binlog is written on.
 *
 * @param directory open, and not closed by who writes
 * @param recovered where to go on; the chunks that come continue its cut
 * @param lease while it does not hold nothing is written
 * @param clock of times in the files and in metrics
 * @param failPoint told of each step; a test ends the writing there
 * @param opener of the files that are written
 */
public record BinlogStart(
        BinlogConfig config,
        BinlogDirectory directory,
        Recovered recovered,
        Lease lease,
        Clock clock,
        FailPoint failPoint,
        FileOpener opener) {
    /** Of one who is alone and needs no lease, on the machine's clock and disk. */
    public static BinlogStart of(BinlogConfig config, BinlogDirectory directory, Recovered recovered) {
        return new BinlogStart(
                config, directory, recovered, Lease.FOREVER, Clock.SYSTEM, FailPoint.NONE, FileOpener.SYSTEM);
    }
}
