package io.tributary.node.admin;

import java.util.List;
import java.util.Map;

/**
 * What a node says of itself beside its metrics.
 *
 * @param version the program's version
 * @param role standalone, task or dumper
 * @param state what it does now, such as running, or the line of the failure after which it will try again
 * @param isHealthy whether it does its work now
 * @param shards their names, in the order of their indexes
 * @param facts further facts by name, in the order to show, such as the binlog's file and position
 */
public record NodeStatus(
        String version, String role, String state, boolean isHealthy, List<String> shards, Map<String, String> facts) {}
