/**
 * Puts the shards' transactions into one order and encodes them. The order is in {@code order}, schema changes are in {@code schema}, the rows of
 * members that differ from the output in {@code rows}.
 *
 * <pre>
 *   merged tokens ── Collector ──[ slot | slot | slot ]── Publisher ── chunks: batches, large transactions, cuts
 *                    (order.TotalOrder,   │
 *                     BatchWriter)   EncodeWorker × n
 *                                    (TransactionEncoder, BranchJoin)
 * </pre>
 */
package io.tributary.collector;
