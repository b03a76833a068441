package io.tributary.node.role;

import io.tributary.collector.CollectorConfig;
import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.HeartbeatConfig;
import io.tributary.store.StoreConfig;
import io.tributary.transmitter.StreamIdentity;
import io.tributary.transmitter.TransmitConfig;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The configuration of everything from extract to collect, and of the streams to and from it.
 *
 * @param extract all shards
 * @param relays those who read some of them for this node
 * @param transmit the streams
 * @param identity which stream of which cluster
 * @param heartbeat the rounds
 * @param store the payload's memory and disk
 * @param collect ordering
 * @param links what joins the stages
 * @param origin what stands in the collector's events
 */
record TaskSettings(
        ExtractorConfig extract,
        RelaysConfig relays,
        TransmitConfig transmit,
        StreamIdentity identity,
        HeartbeatConfig heartbeat,
        StoreConfig store,
        CollectorConfig collect,
        PipelineConfig links,
        OriginConfig origin) {
    /** @throws TributaryException CONFIG_INVALID */
    static TaskSettings of(Config config) {
        ExtractorConfig extract = config.get(ExtractorConfig.class);
        RelaysConfig relays = config.get(RelaysConfig.class);
        try {
            relays.requireAmong(extract.shards().keySet());
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, e.getMessage(), e);
        }
        TransmitConfig transmit = config.get(TransmitConfig.class);
        return new TaskSettings(
                extract,
                relays,
                transmit,
                new StreamIdentity(config.get(ClusterConfig.class).id(), transmit.stream()),
                config.get(HeartbeatConfig.class),
                config.get(StoreConfig.class),
                config.get(CollectorConfig.class),
                config.get(PipelineConfig.class),
                config.get(OriginConfig.class));
    }

    /** Who reads, in the shards' eyes: the same for all nodes of a cluster, so that a new dump of a shard ends an old one. */
    UUID reader() {
        String unique = identity.cluster() + "/" + extract.serverId();
        return UUID.nameUUIDFromBytes(unique.getBytes(StandardCharsets.UTF_8));
    }
}
