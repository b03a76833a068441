/**
 * The definitions of a shard's tables, many at once: {@link io.tributary.extractor.definition.DefinitionFetch} reads information_schema if it is
 * exact, and SHOW CREATE TABLE if it is not, and builds CREATE TABLE statements from both.
 */
package io.tributary.extractor.definition;
