/**
 * The table definitions that a pipeline needs for DDL statements: {@link io.tributary.node.ddl.TableRequests} requests them from each shard
 * once, and passes the answer to the collector. Also the schema changes in progress, for the admin endpoint and the status.
 */
package io.tributary.node.ddl;
