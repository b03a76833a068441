package io.tributary.schema.list;

/**
 * The defaults for a table of a schema without its own character set.
 *
 * @param schema the physical schema
 * @param charset such as {@code utf8mb4}
 * @param collation such as {@code utf8mb4_0900_ai_ci}
 */
public record SchemaDefault(String schema, String charset, String collation) {}
