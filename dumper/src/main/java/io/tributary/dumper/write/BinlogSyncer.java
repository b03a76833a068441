package io.tributary.dumper.write;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogSync;

/**
 * Forces to disk what the writer has written, while that writes on, and then tells the readers how far they may read. However much was
 * written meanwhile, one force is for all of it.
 */
final class BinlogSyncer implements Stage {
    private final WrittenEnd written;
    private final BinlogFiles files;
    private final BinlogConfig config;
    private final Clock clock;
    private final FailPoint failPoint;
    private final Count syncs = new Count();
    private long forcedNanos;

    BinlogSyncer(
            WrittenEnd written,
            BinlogFiles files,
            BinlogConfig config,
            Metrics metrics,
            Clock clock,
            FailPoint failPoint) {
        this.written = written;
        this.files = files;
        this.config = config;
        this.clock = clock;
        this.failPoint = failPoint;
        this.forcedNanos = clock.nanoTime();
        metrics.register(Metric.WRITE_SYNCS, syncs::value);
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
        WrittenEnd.Written now = written.newest(); // what is written later is forced with it, and told next
        if (!isDue(now)) {
            return 0;
        }
        if (config.sync() != BinlogSync.NEVER) {
            now.file().force();
            syncs.add(1);
            forcedNanos = clock.nanoTime();
            failPoint.hit("writer.afterSync.beforePublish");
        }
        if (now.cutEnd() > files.writtenEnd().offset()) {
            files.advance(now.cutEnd(), now.gno(), now.cut());
        }
        written.told(now);
        return 1;
    }

    private boolean isDue(WrittenEnd.Written now) {
        return config.sync() != BinlogSync.INTERVAL
                || now.isLast()
                || clock.nanoTime() - forcedNanos >= config.syncInterval().toNanos();
    }

    @Override
    public long restNanos() {
        return written.hasWork() ? UNTOLD_REST_NANOS : LONGEST_REST_NANOS;
    }

    @Override
    public void close() {}
}
