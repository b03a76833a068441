/**
 * Puts the shards' transactions into one order and lays out their bytes.
 *
 * <pre>
 *   merged tokens ── Collector ──[ slot | slot | slot ]── Publisher ── chunks: batches, large transactions, cuts
 *                    (GlobalOrder,        │
 *                     BatchWriter)   PrepareWorker × n
 *                                    (TransactionLayout, BranchJoin)
 * </pre>
 */
package io.tributary.collector;
