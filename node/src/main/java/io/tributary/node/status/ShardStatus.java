package io.tributary.node.status;

import io.tributary.common.gtid.GtidSet;

/**
 * The position of a shard in a cut.
 *
 * @param frontier GTIDs whose transactions are in the binlog
 * @param position in the shard's binlog
 * @param leftOut GTIDs that an operator has left out
 * @param corrections GTIDs of corrections that are not in the binlog yet
 */
public record ShardStatus(String name, GtidSet frontier, String position, GtidSet leftOut, GtidSet corrections) {}
