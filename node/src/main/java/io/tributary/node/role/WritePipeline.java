package io.tributary.node.role;

import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupStage;
import io.tributary.backup.ObjectStore;
import io.tributary.common.cluster.Lease;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.write.BinlogPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The stages that write and back up, with the metrics that live as long as they do. */
final class WritePipeline implements AutoCloseable {
    private final Metrics metrics;
    private final BinlogFiles files;
    private final Runnable listener;
    private final BinlogPipeline write;
    private final List<Stage> backups = new ArrayList<>();

    WritePipeline(
            BinlogConfig config,
            BackupConfig backup,
            Optional<ObjectStore> store,
            BinlogDirectory directory,
            Recovered recovered,
            CutWatch chunks,
            Lease lease,
            Metrics metrics,
            Clock clock) {
        this.metrics = metrics;
        this.files = recovered.files();
        this.write = new BinlogPipeline(config, directory, recovered, chunks, lease, metrics, clock, FailPoint.NONE);
        store.ifPresent(place -> {
            String cluster = files.serverUuid().toString();
            backups.add(new BackupStage(
                    new FinishedBinlogs(files), place, backup, cluster, metrics, clock, FailPoint.NONE));
        });
        this.listener = () -> chunks.durableUpTo(files.durableEnd().gno());
        files.subscribe(listener);
    }

    /** Adds its stages, to be run and closed by a runner. Those that wait for the disk do so while the others go on. */
    Threads planned(Threads threads) {
        backups.forEach(threads::alone);
        write.waiting().forEach(threads::alone);
        return threads.together(write.computing());
    }

    /** Releases what was not written; only after the stages' threads have ended. */
    @Override
    public void close() {
        files.unsubscribe(listener);
        write.close();
        metrics.close();
    }
}
