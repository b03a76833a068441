package io.tributary.binlog.write;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Histogram;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Stage;

/**
 * The stage that syncs to disk what the writer has written, while the writer continues, and then notifies readers of the new end. One sync
 * covers everything that was written before it.
 */
final class BinlogSyncer implements Stage {
    private final SyncQueue written;
    private final BinlogFiles files;
    private final BinlogConfig config;
    private final Clock clock;
    private final FailPoint failPoint;
    private final Count syncs = new Count();
    private final Histogram syncNanos = Histogram.ofNanos();
    private final DiskStallMonitor disk;
    private long forcedNanos;

    BinlogSyncer(BinlogStart start, SyncQueue written, DiskStallMonitor disk, Metrics metrics) {
        this.disk = disk;
        this.written = written;
        this.files = start.files();
        this.config = start.disk().config();
        this.clock = start.disk().clock();
        this.failPoint = start.failPoint();
        this.forcedNanos = clock.nanoTime();
        metrics.register(Metric.WRITE_SYNCS, syncs::value);
        metrics.register(Metric.WRITE_SYNC_SECONDS, syncNanos);
    }

    @Override
    public String name() {
        return "write-sync";
    }

    @Override
    public int doWork() {
        if (!written.hasWork()) {
            return 0;
        }
        SyncQueue.Written now = written.newest(); // bytes written later may be synced with it; they are published next
        if (!isDue(now)) {
            return 0;
        }
        if (config.sync() != BinlogSync.NEVER) {
            disk.start();
            now.file().force();
            long took = disk.stop();
            syncs.add(1);
            syncNanos.record(took);
            forcedNanos = disk.sinceNanos() + took;
            failPoint.hit("writer.afterSync.beforePublish");
        }
        if (now.cutEnd() > files.writtenEnd().offset()) {
            files.advance(now.cutEnd(), now.gno(), now.cut(), now.commitMicros());
        }
        written.publish(now);
        return 1;
    }

    private boolean isDue(SyncQueue.Written now) {
        return config.sync() != BinlogSync.INTERVAL
                || now.isLast()
                || clock.nanoTime() - forcedNanos >= config.syncInterval().toNanos();
    }

    @Override
    public long restNanos() {
        return written.hasWork() ? POLL_REST_NANOS : LONGEST_REST_NANOS;
    }

    @Override
    public void close() {}
}
