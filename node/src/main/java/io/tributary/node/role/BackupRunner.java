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
            FinishedBinlogs held =
                    new FinishedBinlogs(files); // before the other lets go: a purge never gets in between
            close();
            running = new Running(files, held);
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
        private final StageRunner copying = new StageRunner(this::fail);
        private final StageRunner purging = new StageRunner(this::fail);
        private volatile boolean hasFailed;
        private volatile boolean isClosed;

        Running(BinlogFiles files, FinishedBinlogs finished) {
            this.files = files;
            this.finished = finished;
            List<Stage> stages = backup.stages(finished, turn, files.serverUuid(), own);
            if (stages.isEmpty()) {
                finished.close();
            }
            stages.forEach(copying::onOwnThread);
            if (purges) {
                purging.onOwnThread(backup.purging(files, own));
            }
            copying.start();
            purging.start();
        }

        private void fail(Stage stage, Throwable cause) {
            hasFailed = true;
            if (!isClosed) {
                failure.failed(Failures.of(stage.name(), cause));
            }
        }

        /** Does not wait for a store that is cut off: the one that copies ends with what it asked last, and a successor may have begun. */
        @Override
        public void close() {
            isClosed = true;
            copying.stop();
            purging.close();
            finished.close();
            own.close();
        }
    }
}
