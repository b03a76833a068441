package io.tributary.node.role;

import io.tributary.backup.BackupStage;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.PurgeConfig;
import io.tributary.dumper.PurgeStage;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.write.BinlogPipeline;
import java.util.List;
import java.util.Optional;

/** The stages that write, back up and purge, with the metrics that live as long as they do. */
final class WritePipeline implements AutoCloseable {
    private final Metrics metrics;
    private final BinlogFiles files;
    private final Runnable listener;
    private final BinlogPipeline write;
    private final FinishedBinlogs finished;
    private final Optional<BackupStage> backup;
    private final List<Stage> purge;

    WritePipeline(
            BinlogConfig config,
            PurgeConfig purge,
            NodeBackup backup,
            BinlogDirectory directory,
            Recovered recovered,
            CutWatch chunks,
            Metrics metrics,
            Clock clock) {
        this.metrics = metrics;
        this.files = recovered.files();
        this.write = new BinlogPipeline(config, directory, recovered, chunks, metrics, clock, FailPoint.NONE);
        this.finished = new FinishedBinlogs(files);
        this.backup = backup.stage(finished, files.serverUuid(), metrics, clock);
        if (this.backup.isEmpty()) {
            finished.close();
        }
        this.purge = purge.isOn()
                ? List.of(new PurgeStage(files, purge, PurgeStage.Disk.of(directory.path()), metrics, clock))
                : List.of();
        this.listener = () -> chunks.durableUpTo(files.durableEnd().gno());
        files.subscribe(listener);
    }

    /** Adds its stages, to be run and closed by a runner. Those that wait for the disk do so while the others go on. */
    Threads planned(Threads threads) {
        backup.ifPresent(threads::alone);
        write.waiting().forEach(threads::alone);
        return threads.aside(purge).together(write.computing());
    }

    /** Releases what was not written; only after the stages' threads have ended. */
    @Override
    public void close() {
        files.unsubscribe(listener);
        finished.close();
        write.close();
        metrics.close();
    }
}
