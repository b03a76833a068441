package io.tributary.seed.reseed;

import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import java.util.List;

/**
 * The servers of a reseed.
 *
 * @param client opens all sessions
 * @param shard the shard that is held, with an account that may lock, create tables and set gtid_next
 * @param others the other shards of the stream
 * @param replica a replica of the stream
 * @param stream the GTIDs of the stream up to its last cut, all of which the replica must have applied
 */
public record ReseedServers(MysqlClient client, Peer shard, List<Peer> others, Peer replica, GtidSet stream) {
    public ReseedServers {
        others = List.copyOf(others);
    }
}
