/**
 * Puts the shards' transactions into one order and encodes them.
 *
 * <pre>
 *   merged tokens ── Collector ──[ slot | slot | slot ]── Publisher ── chunks: batches, large transactions, cuts
 *                    (TotalOrder,         │
 *                     BatchWriter)   EncodeWorker × n
 *                                    (TransactionEncoder, BranchJoin)
 * </pre>
 */
package io.tributary.collector;
