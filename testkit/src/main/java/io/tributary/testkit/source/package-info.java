/**
 * Simulated shards: binlogs created by this package and served over the replication protocol on loopback; they accept heartbeat rounds as a
 * shard does. For binlogs that no available server writes (PolarDB-X data nodes), and for loads that a server cannot write fast enough.
 *
 * <pre>
 *   PolarDbxCoordinator ──&gt; PolarDbxLog (one a shard) ── LoopbackShard ──replication protocol──&gt; an extractor
 *                                    └── a round ──────────┘ (UPDATE tributary.heartbeat)
 * </pre>
 */
package io.tributary.testkit.source;
