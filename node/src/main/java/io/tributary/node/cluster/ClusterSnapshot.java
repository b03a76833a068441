package io.tributary.node.cluster;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Member;
import java.util.List;
import java.util.Optional;

/**
 * A cluster as its coordinator knows it at one time.
 *
 * @param epoch the newest leader's; 0 for none ever
 * @param leader empty while there is none
 * @param electors who counts in elections; empty while nothing was acknowledged
 * @param members by id
 * @param claims who does what
 * @param candidates who stands for election
 */
public record ClusterPicture(
        long epoch,
        Optional<Leader> leader,
        Optional<Electors> electors,
        List<Member> members,
        List<Claim> claims,
        List<String> candidates) {}
