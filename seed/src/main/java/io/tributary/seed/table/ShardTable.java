package io.tributary.seed.table;

import io.tributary.common.value.TableName;
import io.tributary.replay.session.Peer;

/**
 * One physical table of a logical table.
 *
 * @param shard its shard
 * @param physical its name there
 */
public record ShardTable(Peer shard, TableName physical) {
    @Override
    public String toString() {
        return shard + " " + physical;
    }
}
