package io.tributary.node.cluster;

import io.tributary.common.cluster.Quorum;
import java.util.Map;

/**
 * Who bears witness in elections: the Dumpers whose acknowledgements count. A Dumper is known by its name and by which copy of the binlog
 * it has, so that one whose disk was replaced is another.
 *
 * @param copies how many of them have each acknowledged cut, the leader among them
 * @param byNode the copy that each has, by the Dumper's name
 */
public record Electors(int copies, Map<String, String> byNode) {
    public Electors {
        byNode = Map.copyOf(byNode);
    }

    /** How many of them have to stand: so many that one of them has every acknowledged cut. */
    public int election() {
        return Math.max(1, byNode.size() - copies + 1);
    }

    /** Whether a Dumper with this copy is one of them. */
    public boolean counts(String node, String copy) {
        return copy.equals(byNode.get(node));
    }

    /** Whether cuts that a leader has acknowledged as it is configured are on as many of them as they are known for. */
    public boolean allow(Quorum quorum) {
        return copies <= quorum.copies();
    }
}
