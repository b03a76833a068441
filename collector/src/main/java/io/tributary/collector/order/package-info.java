/**
 * The global orders of docs/ordering.md without bytes, threads and clocks. Input: tokens; output: transactions and cuts. Both are a
 * {@link io.tributary.collector.order.TotalOrder}: {@code xa.XaOrder} and {@code tso.TsoOrder}. This package contains what both use: shards and their
 * queues, branches, distributed transactions and the logical clock.
 *
 * <pre>
 *   `xa`, xa.XaOrder:
 *   token ── receive ──> ShardState (queue of a shard) ── process ──┬── emitted at once: local transactions, DDL
 *               │                                                  ├── emitWhenComplete: whole distributed transactions
 *               └──> xa.BranchTracker, RoundWatch: known state      └── passEmitted: commits of emitted ones
 *
 *   `tso`, tso.TsoOrder:
 *   token ── receive ──> ShardState ── process, up to the TSO that all tso.TsoWatermarks have passed ──┬── tso.TsoGroup: all of one TSO
 *               └──> tso.TsoWatermarks                                                                └── the tokens after it
 * </pre>
 */
package io.tributary.collector.order;
