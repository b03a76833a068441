/**
 * The merge stage: merges the tokens of the shards into one queue, ordered by (key, shard).
 *
 * <pre>
 *   shard 1 ──┐
 *   shard 2 ──┤ Merger ──┐
 *   shard 3 ──┘          │ Merger ── merged tokens
 *   shard 4 ──┐          │
 *   shard 5 ──┤ Merger ──┘          MergeTree joins mergers by links if one alone would have too many sources;
 *   shard 6 ──┘                         a source can also be a relay, which has merged some shards already
 * </pre>
 */
package io.tributary.merger;
