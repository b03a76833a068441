package io.tributary.collector;

import io.tributary.collector.rows.CollectorStore;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;

/**
 * The resources of the node that the collector uses.
 *
 * @param store what the collector keeps in the node's store
 */
public record CollectorResources(CollectorStore store, Metrics metrics, Clock clock) {}
