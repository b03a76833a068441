package io.tributary.node.status;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import java.util.List;
import java.util.Optional;

/**
 * The cluster as this node last received it from the coordinator. Pages show it, facts do not.
 *
 * @param leader empty while there is none
 * @param members ordered by id
 * @param work which node does what now
 */
public record ClusterStatus(Optional<Leader> leader, List<ClusterMember> members, List<Work> work)
        implements StatusPart {
    public ClusterStatus {
        members = List.copyOf(members);
        work = List.copyOf(work);
    }

    /**
     * Work that a node has claimed.
     *
     * @param what {@code pipeline}, {@code backup}, or {@code relay-} and the name of a shard
     * @param node its id
     * @param epoch of the leader that the work is for
     */
    public record Work(String what, String node, long epoch) {}
}
