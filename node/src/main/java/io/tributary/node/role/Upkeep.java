package io.tributary.node.role;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.BinlogFiles;
import java.util.List;

/** Backs up and purges a Dumper's files for as long as it has them, on threads of its own: pipelines that write come and go meanwhile. */
final class Upkeep implements AutoCloseable {
    private final BinlogFiles files;
    private final FinishedBinlogs finished;
    private final Metrics metrics;
    private final StageRunner runner;
    private volatile boolean hasFailed;

    /**
     * Begins; nothing is purged any more that is not backed up.
     *
     * @param metrics closed with it
     * @param failure told when it cannot go on
     */
    Upkeep(NodeBackup backup, BinlogFiles files, Metrics metrics, FailureSink failure) {
        this.files = files;
        this.metrics = metrics;
        this.finished = new FinishedBinlogs(files);
        this.runner = new StageRunner((stage, cause) -> {
            hasFailed = true;
            failure.failed(Failures.of(stage.name(), cause));
        });
        List<Stage> copying = backup.stages(finished, files.serverUuid(), metrics);
        if (copying.isEmpty()) {
            finished.close();
        }
        copying.forEach(runner::onOwnThread);
        backup.purging(files, metrics).forEach(runner::onOwnThread);
        runner.start();
    }

    /** Whether it goes on, for these files. */
    boolean keeps(BinlogFiles now) {
        return !hasFailed && files == now;
    }

    @Override
    public void close() {
        runner.close();
        finished.close();
        metrics.close();
    }
}
