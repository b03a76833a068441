/**
 * The global orders of docs/ordering.md without bytes, threads and clocks. Input: tokens; output: transactions and cuts. Both are a
 * {@link io.tributary.collector.order.TotalOrder}.
 *
 * <pre>
 *   `xa`, XaOrder:
 *   token ── receive ──> ShardState (queue of a shard) ── process ──┬── emitted at once: local transactions, DDL
 *               │                                                  ├── emitWhenComplete: whole distributed transactions
 *               └──> BranchTracker, RoundWatch: known state         └── passEmitted: commits of emitted ones
 *
 *   `tso`, TsoOrder:
 *   token ── receive ──> ShardState ── process, up to the TSO that all TsoWatermarks have passed ──┬── TsoGroup: all of one TSO
 *               └──> TsoWatermarks                                                                └── the tokens after it
 * </pre>
 */
package io.tributary.collector.order;
