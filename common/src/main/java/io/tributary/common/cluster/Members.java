package io.tributary.common.cluster;

import java.util.List;
import java.util.Optional;

/** The registered nodes, as far as this node knows them: a node that has just died may still be listed. Any thread. */
public interface Members {
    /** All nodes, ordered by id. */
    List<ClusterMember> list();

    default Optional<ClusterMember> find(String id) {
        return list().stream().filter(member -> member.id().equals(id)).findFirst();
    }

    /** The nodes with a role, ordered by id. */
    default List<ClusterMember> with(MemberRole role) {
        return list().stream().filter(member -> member.is(role)).toList();
    }
}
