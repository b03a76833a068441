package io.tributary.node.role;

import io.tributary.collector.CollectorConfig;
import io.tributary.common.config.Config;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.value.Cut;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.HeartbeatConfig;
import io.tributary.store.StoreConfig;

/**
 * The configuration of everything from extract to collect.
 *
 * @param extract all shards
 * @param heartbeat the rounds
 * @param order which order
 * @param store the payload's memory and disk
 * @param collect ordering
 * @param links what joins the stages
 * @param origin what stands in the collector's events
 */
record TaskSettings(
        ExtractorConfig extract,
        HeartbeatConfig heartbeat,
        OrderConfig order,
        StoreConfig store,
        CollectorConfig collect,
        PipelineConfig links,
        OriginConfig origin) {
    /** How the extractors' tokens leave: the one place where the order mode decides that. */
    ExtractOrder extractOrder(Cut start) {
        return switch (order.mode()) {
            case XA -> ExtractOrder.xa();
            case TSO -> ExtractOrder.tso(order.markerTable(), collect.inDoubtWarn(), start);
        };
    }

    static TaskSettings of(Config config) {
        return new TaskSettings(
                config.get(ExtractorConfig.class),
                config.get(HeartbeatConfig.class),
                config.get(OrderConfig.class),
                config.get(StoreConfig.class),
                config.get(CollectorConfig.class),
                config.get(PipelineConfig.class),
                config.get(OriginConfig.class));
    }
}
