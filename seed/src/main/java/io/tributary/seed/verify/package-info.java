/**
 * Compares the tables of a replica with the shards while both change, without a sync point.
 *
 * <p>A table is read in chunks of its row key. Each chunk has one digest on every server: the number of rows and the sum of their hashes ({@link
 * io.tributary.replay.row.RowText}). A chunk with different digests is read row by row, and each row that differs is compared again after the replica
 * has applied what the shards had executed ({@link io.tributary.seed.verify.Recheck}).
 */
package io.tributary.seed.verify;
