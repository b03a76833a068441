package io.tributary.node.admin;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.value.Cut;
import java.util.Map;

/** The positions of the shards in a cut, for the status of a running or stopped node. */
public record CutFacts(Cut cut) {
    /**
     * Adds {@code cut}, and for each shard {@code frontier.NAME}, the GTIDs that are in the binlog, {@code position.NAME}, the position in the
     * shard's binlog, and {@code left.out.NAME}, the GTIDs that an operator has left out.
     */
    public void addTo(Map<String, String> facts) {
        facts.put("cut", cut.number() + " of epoch " + CutEpoch.text(cut.epoch()));
        for (Cut.ShardCut shard : cut.shards()) {
            facts.put("frontier." + shard.name(), shard.frontier().line());
            facts.put("position." + shard.name(), shard.file() + ":" + shard.offset());
            if (!shard.leftOut().isEmpty()) {
                facts.put("left.out." + shard.name(), shard.leftOut().line());
            }
        }
    }
}
