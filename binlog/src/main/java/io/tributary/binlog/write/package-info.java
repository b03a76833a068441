/**
 * Writes the binlog through a ring of blocks.
 *
 * <pre>
 *   chunks ──> BlockLayout ──> ring ──> BlockPatcher 1..n ──> ring ──> BinlogWriter ──> files, durable end
 *              offsets, cuts,           copies, positions,             writes what is ready,
 *              rotation                 checksums (parallel)           syncs it once (group commit)
 * </pre>
 *
 * {@link io.tributary.binlog.write.BinlogPipeline} joins the stages.
 */
package io.tributary.binlog.write;
