package io.tributary.node.replica;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.ShardConfig;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.replay.session.Peer;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.serve.ServeConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The servers of a configuration that seeding and comparing ask: the node, and the shards of its stream. */
public final class StreamServers {
    private static final Duration NODE_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration STATEMENT_TIMEOUT = Duration.ofHours(1);
    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "[::]", "*");

    private StreamServers() {}

    /** Whether a node that listens there is reached at every address of its machine. */
    public static boolean isAny(HostPort listen) {
        return ANY_ADDRESS.contains(listen.host());
    }

    /**
     * The node's MySQL port with the account serve.user, from this machine.
     *
     * @throws TributaryException CONFIG_INVALID without its password
     */
    public static Peer node(ServeConfig serve) {
        String password = serve.password()
                .map(Secret::reveal)
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.CONFIG_INVALID,
                        "serve.password: expected the password of serve.user, which may read all tables, found none"));
        String host = isAny(serve.listen()) ? "127.0.0.1" : serve.listen().host();
        return Peer.node(Endpoint.of(host, serve.listen().port(), serve.user(), password), NODE_TIMEOUT);
    }

    /**
     * The shards that the stream contains, with the accounts of the configuration. A shard that is configured and not read yet is none of them.
     *
     * @throws TributaryException CONFIG_INVALID without the keys of one, NODE_UNREACHABLE if the stream has none yet
     */
    public static List<Peer> shards(Checkpoint newest, Map<String, ShardConfig> configured) {
        List<Peer> peers = new ArrayList<>();
        for (String name : new TreeSet<>(newest.frontiers().keySet())) {
            ShardConfig shard = configured.get(name);
            if (shard == null) {
                throw new TributaryException(
                        ErrorCode.CONFIG_INVALID,
                        "shard: expected the keys of shard " + name + ", which the stream contains, found none");
            }
            peers.add(new Peer(Peer.Role.SHARD, name, shard.endpoint(), STATEMENT_TIMEOUT));
        }
        if (peers.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE,
                    "expected a node with a checkpoint of its shards, found none; wait until it has read them, and run the"
                            + " command again");
        }
        return peers;
    }
}
