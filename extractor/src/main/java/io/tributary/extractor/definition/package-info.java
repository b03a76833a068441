/**
 * The definitions of a shard's tables, many at once: {@link io.tributary.extractor.definition.DefinitionFetch} reads information_schema where it is
 * exact, and SHOW CREATE TABLE where it is not, and makes CREATE TABLE statements of both.
 */
package io.tributary.extractor.definition;
