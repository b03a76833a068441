/**
 * What a pipeline has to know about the tables of its shards for DDL statements: {@link io.tributary.node.ddl.TableLists} asks each shard
 * once, and hands the answer to the collector.
 */
package io.tributary.node.ddl;
