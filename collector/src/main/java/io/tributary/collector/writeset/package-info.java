/**
 * Which transactions replicas may apply in parallel, by the keys that they change ({@code binlog.parallel=writeset}, ordering-rules.md).
 *
 * <pre>
 *   definition of a table ── TableKeys ── KeyPlan (for one table map)
 *                                            │
 *   encoded rows ──────────────────────── KeyReader ── WriteSets (hashes) ── DependencyTracker ── last_committed
 * </pre>
 */
package io.tributary.collector.writeset;
