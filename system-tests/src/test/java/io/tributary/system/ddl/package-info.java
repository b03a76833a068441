/** Tests of schema changes that arrive shard by shard, with real servers and a real replica: the cases of docs/ordering.md "DDL". */
package io.tributary.system.ddl;
