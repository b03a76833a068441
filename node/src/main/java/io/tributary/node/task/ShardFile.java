package io.tributary.node.task;

import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.node.process.BoundedWait;
import io.tributary.node.process.ConfigSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The configuration file of a running node, read again when a shard is added. It contains the shards' addresses; the cut contains which are read. */
final class ShardFile {
    private final ConfigSource config;

    /**
     * Addresses of all shards.
     *
     * @param extract the shards
     * @param relays that read some of them for this node
     */
    record Places(ExtractorConfig extract, RelaysConfig relays) {
        static Places of(Config config) {
            return new Places(config.get(ExtractorConfig.class), config.get(RelaysConfig.class));
        }

        /** These places with one more shard, or with changed keys of a shard. */
        Places with(String name, ShardConfig shard, RelaysConfig newer) {
            Map<String, ShardConfig> all = new LinkedHashMap<>(extract.shards());
            all.put(name, shard);
            return new Places(extract.withShards(all), newer);
        }
    }

    ShardFile(ConfigSource config) {
        this.config = config;
    }

    /**
     * Returns the shards that are in the file now.
     *
     * @param name of a shard that has to be in the file
     * @param inUse shards that are read now: their keys must not have changed
     * @throws io.tributary.common.error.TributaryException CONFIG_INVALID; SHARD_CHANGE_FAILED when another key that needs a restart has
     *     changed
     */
    Places with(String name, Places known, Collection<String> inUse) {
        Config now = config.file().get();
        ExtractorConfig read = now.get(ExtractorConfig.class);
        RelaysConfig relays = now.get(RelaysConfig.class);
        if (!read.shards().containsKey(name)) {
            throw BoundedWait.failed("expected shard." + name + ".host and the other keys of shard " + name
                    + " in the configuration file, found the shards "
                    + read.shards().keySet());
        }
        try {
            relays.requireAmong(read.shards().keySet());
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, e.getMessage(), e);
        }
        List<String> others = new ArrayList<>(config.started().differences(now, key -> !key.live()));
        others.removeIf(key -> isOf("shard", key) || known.relays.readsAlike(inUse, relays) && isOf("relay", key));
        for (String shard : inUse) {
            ShardConfig configured = read.shards().get(shard);
            if (!Objects.equals(configured, known.extract.shards().get(shard))) {
                others.add("shard." + shard);
            }
        }
        if (!others.isEmpty()) {
            throw BoundedWait.failed("expected no other change in the configuration file than shard." + name
                    + " and the relay that reads it, found others in " + others
                    + ": these need a restart; undo them for now");
        }
        return new Places(read, relays);
    }

    private static boolean isOf(String family, String key) {
        return key.equals(family) || key.startsWith(family + ".");
    }
}
