/**
 * The global orders of docs/ordering.md without bytes, threads and clocks: tokens in, transactions and cuts out. Both are a
 * {@link io.tributary.collector.order.TotalOrder}.
 *
 * <pre>
 *   `xa`, GlobalOrder:
 *   token ── receive ──> ShardLine (queue of a shard) ── process ──┬── emitted at once: local transactions, DDL
 *               │                                                  ├── emitWhenComplete: whole distributed transactions
 *               └──> Distributed, RoundWatch: what is known        └── passEmitted: commits of emitted ones
 *
 *   `tso`, TsoOrder:
 *   token ── receive ──> ShardLine ── process, up to the TSO that all TsoWatermarks have passed ──┬── TsoGroup: all of one TSO
 *               └──> TsoWatermarks                                                                └── what stands behind it
 * </pre>
 */
package io.tributary.collector.order;
