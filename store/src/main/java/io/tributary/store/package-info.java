/**
 * The hybrid payload store: transactions as byte ranges in segments, which lie off-heap, and on a spill disk when they are large or memory
 * is short. One budget of memory holds all of it.
 *
 * <pre>
 *   extractor --append--&gt; PayloadAppender --&gt; Segment (counted) --Mover--&gt; Spill (RocksDB, no log, blobs, wiped at start)
 *   finish() = Payload --&gt; read by any thread: in memory, or read back a segment at a time; then released
 *   Catalogue: what is known of tables, beside the segments in the same RocksDB
 *   JournalMap: table definitions by key, on the heap while they are few, else in a RocksDB of their own
 * </pre>
 */
package io.tributary.store;
