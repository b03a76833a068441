package io.tributary.schema.list;

import io.tributary.common.value.ServerVersion;

/**
 * A table as a shard has answered it.
 *
 * @param server that answered
 * @param text a CREATE TABLE statement
 */
public record ShownTable(ServerVersion server, String text) {}
