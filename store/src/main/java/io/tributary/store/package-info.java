/**
 * The hybrid payload store: transactions as byte ranges in off-heap segments, and on a spill disk when they are large or
 * memory is short.
 *
 * <pre>
 *   extractor --append--&gt; PayloadAppender --+--&gt; Segment (pooled, append-only, counted)
 *                                           +--&gt; SpillWriter --&gt; Spill (RocksDB, no log, wiped at start)
 *   finish() = Payload --&gt; read and released by any thread
 * </pre>
 */
package io.tributary.store;
