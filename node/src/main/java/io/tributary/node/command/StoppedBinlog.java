package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.CutAppender;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.Recovery;
import io.tributary.node.role.NodeConfig;
import java.nio.file.Path;

/** The binlog of a node that does not run, under its lock: its last cut, and an order that is appended to it. */
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
     * Takes the lock.
     *
     * @param file of a node whose admin endpoint does not answer
     * @param unanswered how it did not
     * @throws TributaryException NODE_UNREACHABLE where the node keeps no binlog, or something holds the lock
     */
    static StoppedBinlog open(ConfigFile file, TributaryException unanswered) {
        if (!file.read(NodeConfig.class).keepsFiles()) {
            throw unreachable(
                    "the node of this configuration keeps no binlog to which an order could be appended: start it, or"
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
                            "its binlog is in use: it starts, stops, or has another admin.listen than this configuration says",
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

    /**
     * The last one.
     *
     * @throws TributaryException ORDER_REFUSED where there is none yet
     */
    Cut cut() {
        return recovered
                .resume()
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.ORDER_REFUSED, "the binlog in " + path() + " has no cut of any shard yet"));
    }

    /** Appends a cut behind the last one; nothing else may be asked afterwards. */
    void append(Cut next) {
        CutAppender.append(directory, config, recovered, next, Clock.SYSTEM);
    }

    @Override
    public void close() {
        directory.close();
    }
}
