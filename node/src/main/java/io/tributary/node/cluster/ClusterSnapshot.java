package io.tributary.node.cluster;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import java.util.List;
import java.util.Optional;

/**
 * State of a cluster at one point in time, as read from its coordinator.
 *
 * @param epoch of the newest leader; 0 = there was never one
 * @param leader empty while there is none
 * @param voters the Dumpers that count in elections; empty while nothing was acknowledged
 * @param members by id
 * @param claims which node does which work
 * @param candidates names of the Dumpers that are candidates
 */
public record ClusterSnapshot(
        long epoch,
        Optional<Leader> leader,
        Optional<Voters> voters,
        List<ClusterMember> members,
        List<Claim> claims,
        List<String> candidates) {}
