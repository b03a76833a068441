package io.tributary.seed;

import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.replay.session.Peer;
import java.util.List;

/**
 * The servers of a seed.
 *
 * @param node the MySQL port of a node, with an account that may read all tables and replicate
 * @param target the server that is seeded
 * @param shards all shards of the stream
 * @param source the node's MySQL port as the target reaches it, and the account with which it replicates
 */
public record SeedServers(Peer node, Peer target, List<Peer> shards, Endpoint source) {
    public SeedServers {
        shards = List.copyOf(shards);
    }

    /** A copy with other servers of the shards. */
    SeedServers with(List<Peer> others) {
        return new SeedServers(node, target, others, source);
    }
}
