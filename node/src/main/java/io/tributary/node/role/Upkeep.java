package io.tributary.node.role;

import io.tributary.backup.BackupTurn;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.BinlogFiles;
import java.util.List;

/** Backs up a Dumper's files for as long as it has them, on threads of its own: pipelines that write come and go meanwhile. */
final class Upkeep implements AutoCloseable {
    private final NodeBackup backup;
    private final BackupTurn turn;
    private final boolean purges;
    private final Metrics metrics;
    private final FailureSink failure;
    private Running running; // null before

    /**
     * Nothing is done yet.
     *
     * @param turn whose turn it is to copy
     * @param purges whether it purges too, for a Dumper that writes nothing of its own
     * @param failure told when it cannot go on
     */
    Upkeep(NodeBackup backup, BackupTurn turn, boolean purges, Metrics metrics, FailureSink failure) {
        this.backup = backup;
        this.turn = turn;
        this.purges = purges;
        this.metrics = metrics;
        this.failure = failure;
    }

    /** Goes on with these files, or begins: from now on nothing is purged that is not backed up. */
    void keep(BinlogFiles files) {
        if (running == null || running.hasFailed || running.files != files) {
            close();
            running = new Running(files);
        }
    }

    @Override
    public void close() {
        if (running != null) {
            running.close();
            running = null;
        }
    }

    /** What is done for some files. */
    private final class Running implements AutoCloseable {
        private final BinlogFiles files;
        private final FinishedBinlogs finished;
        private final Metrics own = metrics.child();
        private final StageRunner runner = new StageRunner(this::fail);
        private volatile boolean hasFailed;

        Running(BinlogFiles files) {
            this.files = files;
            this.finished = new FinishedBinlogs(files);
            List<Stage> copying = backup.stages(finished, turn, files.serverUuid(), own);
            if (copying.isEmpty()) {
                finished.close();
            }
            copying.forEach(runner::onOwnThread);
            if (purges) {
                backup.purging(files, own).forEach(runner::onOwnThread);
            }
            runner.start();
        }

        private void fail(Stage stage, Throwable cause) {
            hasFailed = true;
            failure.failed(Failures.of(stage.name(), cause));
        }

        @Override
        public void close() {
            runner.close();
            finished.close();
            own.close();
        }
    }
}
