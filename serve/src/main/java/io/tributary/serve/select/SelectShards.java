package io.tributary.serve.select;

import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.serve.schema.LogicalNames;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The shards that SELECTs read.
 *
 * @param config limits
 * @param endpoints address and account of each shard by name; read for each SELECT
 * @param names how readers see the shards' names
 * @param leftOut whether a table of this name is not in the binlog in any schema (those of online schema change tools)
 * @param lookups threads that look up the shards' host names; not owned
 */
public record SelectShards(
        SelectConfig config,
        Supplier<Map<String, Endpoint>> endpoints,
        LogicalNames names,
        Predicate<String> leftOut,
        EventExecutorGroup lookups) {}
