/**
 * The global order of `xa` mode (ordering.md) without bytes, threads and clocks: tokens in, transactions and cuts out.
 *
 * <pre>
 *   token ── receive ──> ShardLine (queue of a shard) ── process ──┬── emitted at once: local transactions, DDL
 *               │                                                  ├── emitWhenComplete: whole distributed transactions
 *               └──> Distributed, RoundWatch: what is known        └── passEmitted: commits of emitted ones
 * </pre>
 */
package io.tributary.collector.order;
