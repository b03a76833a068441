package io.tributary.node.process;

import io.tributary.common.config.Key;

/**
 * The keys that Task and Dumper of one cluster share.
 *
 * @param id the cluster's name
 */
public record ClusterConfig(
        @Key(
                value = "cluster.id",
                byDefault = "tributary",
                about = "Name of the cluster; a Task serves Dumpers of its own cluster only.")
        String id) {}
