package io.tributary.dumper.serve;

import io.tributary.dumper.schema.SchemaSource;

/**
 * Whom statements turn to for what takes time.
 *
 * @param binlog the binlog files
 * @param node the rest of the node
 * @param schema a shard, for questions about schemas
 */
record Neighbours(BinlogOrders binlog, NodeTables node, SchemaSource schema) {}
