package io.tributary.node.role;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogSync;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.node.cluster.CoordinationConfig;
import java.util.Optional;

/** Whether what a Dumper counts as acknowledged is on its own disk too: its copy is one of those that dumper.ack asks for. */
public final class AckCheck {
    private AckCheck() {}

    /** What is wrong, and what to do. */
    public static Optional<String> problem(Config config) {
        NodeConfig node = config.get(NodeConfig.class);
        if (!node.keepsFiles()) {
            return Optional.empty();
        }
        ReplicateConfig replicate = config.get(ReplicateConfig.class);
        BinlogSync sync = config.get(BinlogConfig.class).sync();
        int dumpers = node.isMember() ? config.get(CoordinationConfig.class).dumpers() : replicate.followers() + 1;
        boolean mayLead = node.isMember() || replicate.leader().isEmpty();
        boolean counts = dumpers > 1 && replicate.quorum(dumpers).acknowledgement() != Acknowledgement.LEADER;
        return mayLead && counts && sync != BinlogSync.ALWAYS
                ? Optional.of(
                        "binlog.sync: expected always where dumper.ack is not leader, for a leader's own copy counts as"
                                + " one that is on disk; found " + sync)
                : Optional.empty();
    }

    /** @throws TributaryException CONFIG_INVALID */
    static void require(Config config) {
        problem(config).ifPresent(why -> {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, why);
        });
    }
}
