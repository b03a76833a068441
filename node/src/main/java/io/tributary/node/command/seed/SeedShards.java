package io.tributary.node.command.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The shards of a seed: all that are configured, each on the first of its servers that accepts writes. */
final class SeedShards {
    private SeedShards() {}

    /**
     * The servers to read.
     *
     * @param read the shards that the stream contains
     * @throws TributaryException CONFIG_INVALID if one is configured and not read: the replica would lack its rows; SHARD_* if no server of a shard
     *     with standbys is fit
     */
    static List<Peer> of(MysqlClient client, List<Peer> read, ExtractorConfig extract) {
        TreeSet<String> missing = new TreeSet<>(extract.shards().keySet());
        read.forEach(shard -> missing.remove(shard.name()));
        if (!missing.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "shard: expected that the node reads every shard of the configuration, found that its stream does not"
                            + " contain " + missing
                            + ", whose rows the replica would lack | wait until the node has read"
                            + " it, run tributary shard add, or remove its keys");
        }
        Map<String, ShardConfig> several = new TreeMap<>(extract.shards());
        several.values().removeIf(shard -> !shard.isOneOfSeveral());
        ShardCheck.Report report = new ShardCheck(client).check(several, Map.of());
        report.requireFit();
        List<Peer> shards = new ArrayList<>();
        for (Peer shard : read) {
            ShardConfig chosen = report.shards().get(shard.name());
            shards.add(chosen == null ? shard : shard.at(chosen.endpoint()));
        }
        return shards;
    }
}
