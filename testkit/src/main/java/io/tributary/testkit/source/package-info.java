/**
 * Shards that are none: binlogs made by this package, served over the replication protocol on loopback, which take heartbeat rounds as a
 * shard does. For what no server at hand writes (PolarDB-X data nodes), and for loads that a server could not write fast enough.
 *
 * <pre>
 *   PolarDbxCoordinator ──&gt; PolarDbxLog (one a shard) ── LoopbackShard ──replication protocol──&gt; an extractor
 *                                    └── a round ──────────┘ (UPDATE tributary.heartbeat)
 * </pre>
 */
package io.tributary.testkit.source;
