package io.tributary.node.role;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.CoordinationConfig;
import java.util.Optional;

/** Checks that acknowledged data is on the leader's own disk too: its copy is one of those that dumper.ack requires. */
public final class AckCheck {
    private AckCheck() {}

    /** The problem in the configuration, and how to fix it; empty if there is none. */
    public static Optional<String> problem(Config config) {
        NodeConfig node = config.get(NodeConfig.class);
        if (!node.keepsFiles()) {
            return Optional.empty();
        }
        ReplicateConfig replicate = config.get(ReplicateConfig.class);
        BinlogSync sync = config.get(BinlogConfig.class).sync();
        int dumpers = node.isMember()
                ? config.get(CoordinationConfig.class).dumpers()
                : replicate.topology().followers() + 1;
        boolean mayLead = node.isMember() || replicate.topology().leader().isEmpty();
        boolean counts =
                dumpers > 1 && replicate.topology().quorum(dumpers).acknowledgement() != Acknowledgement.LEADER;
        return mayLead && counts && sync != BinlogSync.ALWAYS
                ? Optional.of(
                        "binlog.sync: expected always, because dumper.ack is not leader and the leader's own copy counts as"
                                + " one on disk, found " + sync)
                : Optional.empty();
    }

    /** @throws TributaryException CONFIG_INVALID */
    static void require(Config config) {
        problem(config).ifPresent(why -> {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, why);
        });
    }
}
