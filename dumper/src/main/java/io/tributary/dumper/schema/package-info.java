/**
 * Questions about schemas, answered by one of the shards with names mapped: tools that keep a schema of their own ask them of a
 * source. Only shapes that read are passed on, never row data.
 *
 * <pre>
 *   statement ── SchemaShapes ──> SchemaQuestion ── SchemaProxy ── physical names ──> shard ── logical names ──> answer
 * </pre>
 */
package io.tributary.dumper.schema;
