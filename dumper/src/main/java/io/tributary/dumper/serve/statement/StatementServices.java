package io.tributary.dumper.serve.statement;

import io.tributary.dumper.schema.SchemaSource;

/**
 * The services that statements use for slow work.
 *
 * @param binlog commands on the binlog files
 * @param node the node's tables
 * @param schema a shard, for questions about schemas
 */
public record StatementServices(BinlogAdmin binlog, NodeTables node, SchemaSource schema) {}
