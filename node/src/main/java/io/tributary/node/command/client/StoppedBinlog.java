package io.tributary.node.command.client;

import io.tributary.binlog.CutAppender;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.node.role.NodeConfig;
import java.nio.file.Path;
import java.util.UUID;

/** The binlog of a stopped node, with its lock: reads the last cut, and appends a cut with a decision. */
final class StoppedBinlog implements AutoCloseable {
    private final BinlogConfig config;
    private final BinlogDirectory directory;
    private final Recovered recovered;

    private StoppedBinlog(BinlogConfig config, BinlogDirectory directory) {
        this.config = config;
        this.directory = directory;
        this.recovered = Recovery.run(directory, config, Clock.SYSTEM);
    }

    /**
     * Opens the binlog and takes the lock.
     *
     * @param file the configuration of a node whose admin endpoint does not answer
     * @param unanswered the failure of the request to the admin endpoint
     * @throws TributaryException NODE_UNREACHABLE if the node has no binlog, or another process holds the lock
     */
    static StoppedBinlog open(ConfigFile file, TributaryException unanswered) {
        if (!file.read(NodeConfig.class).keepsFiles()) {
            throw unreachable(
                    "the node of this configuration keeps no binlog to which a decision could be appended: start it, or"
                            + " stop the Dumper and run the command with its configuration",
                    unanswered);
        }
        BinlogConfig config = file.read(BinlogConfig.class);
        BinlogDirectory directory;
        try {
            directory = BinlogDirectory.open(config, Clock.SYSTEM);
        } catch (TributaryException e) {
            throw e.code() == ErrorCode.DIRECTORY_IN_USE
                    ? unreachable(
                            "its binlog is in use: the node is starting or stopping, or its admin.listen differs from this configuration",
                            unanswered)
                    : e;
        }
        StoppedBinlog binlog = null;
        try {
            binlog = new StoppedBinlog(config, directory);
            return binlog;
        } finally {
            if (binlog == null) {
                directory.close();
            }
        }
    }

    private static TributaryException unreachable(String why, TributaryException unanswered) {
        return new TributaryException(ErrorCode.NODE_UNREACHABLE, unanswered.getMessage() + "; and " + why, unanswered);
    }

    Path path() {
        return directory.path();
    }

    /** The UUID of the stream's GTIDs. */
    UUID stream() {
        return directory.serverUuid();
    }

    /**
     * The last cut.
     *
     * @throws TributaryException DECISION_REFUSED if there is none yet
     */
    Cut cut() {
        return recovered
                .resume()
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.DECISION_REFUSED, "expected a cut in the binlog in " + path() + ", found none yet"));
    }

    /** Appends a cut after the last one; no other method except close may be called afterwards. */
    void append(Cut next) {
        CutAppender.append(directory, config, recovered, next, Clock.SYSTEM);
    }

    @Override
    public void close() {
        directory.close();
    }
}
