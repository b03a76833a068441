package io.tributary.serve.statement;

import io.tributary.serve.schema.SchemaSource;

/**
 * The services that statements use for slow work.
 *
 * @param binlog commands on the binlog files
 * @param node the node's tables
 * @param schema a shard, for questions about schemas
 */
public record StatementServices(BinlogAdmin binlog, NodeTables node, SchemaSource schema) {}
