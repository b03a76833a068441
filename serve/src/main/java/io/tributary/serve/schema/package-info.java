/**
 * Answers to questions about schemas from one of the shards, with mapped names: tools that keep their own schema ask them of a source. Only
 * reading statements in known forms are sent to the shard, and no rows of tables are returned.
 *
 * <pre>
 *   statement ── SchemaStatements ──> SchemaQuestion ── SchemaProxy ── physical names ──> shard ── logical names ──> answer
 * </pre>
 */
package io.tributary.serve.schema;
