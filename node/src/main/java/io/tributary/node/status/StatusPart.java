package io.tributary.node.status;

import java.util.List;

/** The status of one part of a node. */
public sealed interface StatusPart
        permits MemberStatus,
                TaskStatus,
                RelayStatus,
                PipelineStatus,
                DumperStatus,
                UpstreamStatus,
                QuorumStatus,
                BackupStatus,
                VerifyStatus,
                ApplyStatus,
                SinkStatus,
                LeaderStatus,
                ClusterStatus {
    /** The positions of the shards in the newest cut, if this part has one. */
    default List<ShardStatus> positions() {
        return List.of();
    }

    /** The shards of this part that are held, those that cannot be read first. */
    default List<Hold> holds() {
        return List.of();
    }
}
