package io.tributary.node.dumper;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.write.BinlogPipeline;
import io.tributary.binlog.write.BinlogStart;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Stage;
import io.tributary.node.process.CutWatch;
import io.tributary.node.process.ThreadPlan;
import java.util.List;

/** The stages that write and purge, with metrics of the same lifetime. */
public final class WritePipeline implements AutoCloseable {
    private final Metrics metrics;
    private final BinlogFiles files;
    private final Runnable listener;
    private final BinlogPipeline write;
    private final Stage purging;

    WritePipeline(BinlogStart start, CutWatch chunks, NodeBackup backup, Metrics metrics) {
        this.metrics = metrics;
        this.files = start.recovered().files();
        this.write = new BinlogPipeline(start, chunks, metrics);
        this.purging = backup.purging(files, metrics);
        this.listener = () -> chunks.durableUpTo(files.durableEnd().gno());
        files.subscribe(listener);
    }

    /** Adds its stages to a plan; a runner runs and closes them. Stages that wait for the disk do not block the others. */
    public ThreadPlan planned(ThreadPlan threads) {
        write.waiting().forEach(threads::alone);
        return threads.aside(List.of(purging)).together(write.computing());
    }

    /** As {@link BinlogPipeline#diskNanos}. */
    long diskNanos() {
        return write.diskNanos();
    }

    /** Releases buffers that were not written; call it only after the stages' threads have ended. */
    @Override
    public void close() {
        files.unsubscribe(listener);
        write.close();
        metrics.close();
    }
}
