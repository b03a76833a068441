package io.tributary.node.role;

import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.Key;
import java.util.List;

/**
 * The keys of the node itself.
 *
 * @param role what this node is
 * @param roles what it is in a cluster
 */
public record NodeConfig(
        @Key(
                value = "node.role",
                byDefault = "standalone",
                about =
                        "standalone: everything in this process; task: reads and orders; relay: reads some shards for a task;"
                                + " dumper: writes and serves.")
        RoleName role,

        @Key(
                value = "node.roles",
                about =
                        "What this node is in a cluster whose nodes find each other (cluster.zookeeper): some of task, relay, dumper;"
                                + " wins over node.role.")
        List<MemberRole> roles) {
    /** Whether it finds the others by itself. */
    public boolean isMember() {
        return !roles.isEmpty();
    }

    /** Whether it keeps files. */
    public boolean keepsFiles() {
        return isMember() ? roles.contains(MemberRole.DUMPER) : role == RoleName.STANDALONE || role == RoleName.DUMPER;
    }

    /** Whether it may write heartbeat rounds to the shards. */
    public boolean writesRounds() {
        return isMember() ? roles.contains(MemberRole.TASK) : role == RoleName.STANDALONE || role == RoleName.TASK;
    }

    /** Whether it reads shards. */
    public boolean readsShards() {
        return isMember()
                ? roles.contains(MemberRole.TASK) || roles.contains(MemberRole.RELAY)
                : role != RoleName.DUMPER;
    }
}
