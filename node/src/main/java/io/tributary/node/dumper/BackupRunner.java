package io.tributary.node.dumper;

import io.tributary.backup.BackupTurn;
import io.tributary.binlog.BinlogFiles;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import java.util.List;

/** Backs up a Dumper's files as long as it holds them, on its own threads. It outlives the pipelines that write. */
public final class BackupRunner implements AutoCloseable {
    private final NodeBackup backup;
    private final BackupTurn turn;
    private final boolean purges;
    private final Metrics metrics;
    private final FailureSink failure;
    private Running running; // null before

    /**
     * Creates a runner that does nothing yet.
     *
     * @param turn decides which node copies
     * @param purges whether it purges too, for a Dumper that has no pipeline that writes
     * @param failure notified when it cannot continue
     */
    public BackupRunner(NodeBackup backup, BackupTurn turn, boolean purges, Metrics metrics, FailureSink failure) {
        this.backup = backup;
        this.turn = turn;
        this.purges = purges;
        this.metrics = metrics;
        this.failure = failure;
    }

    /** Starts to back up these files, or continues: from now on no file is purged that is not backed up. */
    public void keep(BinlogFiles files) {
        if (running == null || running.hasFailed || running.files != files) {
            // holds the files before the earlier runner releases them, so that no purge happens in between
            FinishedBinlogs held = new FinishedBinlogs(files);
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

    /** The stages that run for one set of files. */
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

        /** Does not wait for a store that cannot be reached: the copying stage ends after its last request, when a successor may have started. */
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
