/**
 * Brings the shards' tokens into one queue, ordered by (key, shard).
 *
 * <pre>
 *   shard 1 ──┐
 *   shard 2 ──┤ Merger ──┐
 *   shard 3 ──┘          │ Merger ── merged tokens
 *   shard 4 ──┐          │
 *   shard 5 ──┤ Merger ──┘          MergeTree joins mergers by links where one alone has too many sources;
 *   shard 6 ──┘                         a source may also be a relay, which has merged some shards already
 * </pre>
 */
package io.tributary.merger;
