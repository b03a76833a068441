/**
 * The TSO service: hands out commit timestamps that only grow, and turns to commit, for {@code order.mode=tso} without a coordinator that
 * provides them. It can run in any node and is independent of the stages.
 *
 * <pre>
 *   TsoClient ==gRPC==&gt; TsoService ── TsoSequence ── HighWaterFile
 *                            └─────── PendingTimestamps
 * </pre>
 *
 * The whole service runs on one event loop, without locks.
 */
package io.tributary.tso;
