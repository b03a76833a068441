/**
 * The writing of the binlog: a ring of blocks.
 *
 * <pre>
 *   chunks ──> BlockLayout ──> ring ──> BlockPatcher 1..n ──> ring ──> BinlogWriter ──> files, durable end
 *              offsets, cuts,           copies, positions,             writes what is ready,
 *              rotation                 checksums (parallel)           forces it once (group commit)
 * </pre>
 *
 * {@link io.tributary.dumper.write.BinlogPipeline} joins them.
 */
package io.tributary.dumper.write;
