/**
 * The hybrid payload store: transactions as byte ranges in segments, which are off-heap, and on a spill disk if they are large or memory
 * is short. One memory budget limits all of it.
 *
 * <pre>
 *   extractor --append--&gt; PayloadAppender --&gt; Segment (counted) --SpillWriter--&gt; Spill (RocksDB, no log, blobs, wiped at start)
 *   finish() = Payload --&gt; read by any thread: in memory, or read back a segment at a time; then released
 *   TableShapeStore: values of tables, beside the segments in the same RocksDB
 *   JournalMap: table definitions by key, on the heap while they are few, else in a separate RocksDB
 * </pre>
 */
package io.tributary.store;
