package io.tributary.node.cluster;

import io.tributary.common.cluster.Quorum;
import java.util.Map;

/**
 * The voters of an election: the Dumpers whose acknowledgements count. A Dumper is identified by its name and by its copy of the binlog, so that
 * a Dumper whose disk was replaced is not the same voter.
 *
 * @param copies how many of them have each acknowledged cut, the leader among them
 * @param byNode the copy that each has, by the Dumper's name
 */
public record Voters(int copies, Map<String, String> byNode) {
    public Voters {
        byNode = Map.copyOf(byNode);
    }

    /** How many of them have to be candidates so that at least one has every acknowledged cut. */
    public int election() {
        return Math.max(1, byNode.size() - copies + 1);
    }

    /** Whether a Dumper with this copy is a voter. */
    public boolean counts(String node, String copy) {
        return copy.equals(byNode.get(node));
    }

    /** Whether cuts that are acknowledged under this quorum are on at least as many voters as {@link #copies} states. */
    public boolean allow(Quorum quorum) {
        return copies <= quorum.copies();
    }
}
