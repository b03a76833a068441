package io.tributary.node.status;

import io.tributary.common.gtid.GtidSet;

/**
 * The position of a shard in a cut.
 *
 * @param frontier GTIDs whose transactions are in the binlog
 * @param position in the shard's binlog
 * @param leftOut GTIDs that an operator has left out
 */
public record ShardStatus(String name, GtidSet frontier, String position, GtidSet leftOut) {}
