/**
 * Copies the rows of members into a target without a lock and without a snapshot. {@link io.tributary.seed.copy.Copy} divides each member into parts
 * by its row key, and its workers copy the parts ({@link io.tributary.seed.copy.PartCopy}): each reads a few tens of MiB by one statement in key order,
 * writes them with REPLACE statements, and stores the last key in the same transaction ({@link io.tributary.seed.copy.ChunkLog}).
 *
 * <pre>
 *  shard --SELECT ... WHERE key > last ORDER BY key LIMIT n--> RowQueue --ColumnForm--> RowStatement --REPLACE, UPDATE chunks, COMMIT--> target
 * </pre>
 *
 * A table without a row key is copied under a short lock: {@link io.tributary.seed.copy.SnapshotCopy}.
 */
package io.tributary.seed.copy;
