package io.tributary.node.role;

import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.Key;
import java.util.List;

/**
 * The keys of the node itself.
 *
 * @param role of this node without a cluster
 * @param roles of this node in a cluster
 */
public record NodeConfig(
        @Key(
                value = "node.role",
                byDefault = "standalone",
                about =
                        "standalone: everything in this process; task: reads and orders; relay: reads some shards for a task;"
                                + " dumper: writes and serves; apply: applies the binlog of another node to a server;"
                                + " sink: sends it to Kafka.")
        RoleName role,

        @Key(
                value = "node.roles",
                about = "Roles of this node in a cluster that uses ZooKeeper (cluster.zookeeper): one or"
                        + " more of task, relay, dumper; if it is set, node.role is ignored.")
        List<MemberRole> roles) {
    /** Whether it is a member of a cluster with a coordinator. */
    public boolean isMember() {
        return !roles.isEmpty();
    }

    /** Whether it stores binlog files. */
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
                : role != RoleName.DUMPER && role != RoleName.APPLY && role != RoleName.SINK;
    }

    /** Whether it applies the binlog of another node to a target. */
    public boolean applies() {
        return !isMember() && role == RoleName.APPLY;
    }

    /** Whether it sends the binlog of another node to Kafka. */
    public boolean sinks() {
        return !isMember() && role == RoleName.SINK;
    }
}
