package io.tributary.schema.list;

import io.tributary.common.value.ServerVersion;

/**
 * A table definition that a shard has returned.
 *
 * @param server the server that returned it
 * @param text a CREATE TABLE statement
 */
public record ReportedTable(ServerVersion server, String text) {}
