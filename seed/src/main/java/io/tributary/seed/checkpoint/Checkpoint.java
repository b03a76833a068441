package io.tributary.seed.checkpoint;

import io.tributary.common.gtid.GtidSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * The newest durable checkpoint (cut) of a stream, as SHOW TRIBUTARY CHECKPOINT shows it.
 *
 * @param executed the GTIDs of the stream up to it: one UUID, from 1 to the number of its newest transaction
 * @param frontiers by shard name, the shard's GTIDs that the stream contains, or that were left out of it
 */
public record Checkpoint(GtidSet executed, Map<String, GtidSet> frontiers) {
    public Checkpoint {
        frontiers = Map.copyOf(frontiers);
    }

    /** The number of its newest transaction, 0 if there is none. */
    public long transactions() {
        return executed.isEmpty() ? 0 : executed.last(executed.sids().get(0));
    }

    /**
     * The shards of which it lacks transactions, with those transactions.
     *
     * @param wanted by shard name
     */
    public Map<String, GtidSet> missing(Map<String, GtidSet> wanted) {
        Map<String, GtidSet> missing = new TreeMap<>();
        wanted.forEach((shard, set) -> {
            GtidSet rest = set.minus(frontiers.getOrDefault(shard, GtidSet.EMPTY));
            if (!rest.isEmpty()) {
                missing.put(shard, rest);
            }
        });
        return missing;
    }
}
