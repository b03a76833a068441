package io.tributary.node.replica;

import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.TableNames;
import io.tributary.serve.ServeConfig;
import java.util.Map;

/**
 * The configuration that a comparison of a replica needs.
 *
 * @param serve the node's MySQL port and its account
 * @param shards at least those that the stream contains, by name
 * @param names the mapping of the node
 */
public record StreamKeys(ServeConfig serve, Map<String, ShardConfig> shards, TableNames names) {
    public StreamKeys {
        shards = Map.copyOf(shards);
    }
}
