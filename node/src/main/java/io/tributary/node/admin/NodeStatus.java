package io.tributary.node.admin;

import java.util.List;
import java.util.Map;

/**
 * The status that a node reports in addition to its metrics.
 *
 * @param version the program's version
 * @param role standalone, task or dumper
 * @param state its current state, such as running, or the line of the failure after which it will retry
 * @param isHealthy whether it works at the moment
 * @param shards names of the shards, in the order of their indexes
 * @param facts further facts by name, in the order in which they are shown, such as the binlog's file and position
 */
public record NodeStatus(
        String version, String role, String state, boolean isHealthy, List<String> shards, Map<String, String> facts) {}
