/**
 * The TSO service: hands out commit timestamps that only grow, and turns to commit, for {@code order.mode=tso} without a coordinator of
 * one's own. A guest in any node, stranger to the stages.
 *
 * <pre>
 *   TsoClient ==gRPC==&gt; TsoService ── TsoSequence ── HighWaterFile
 *                            └─────── OpenTurns
 * </pre>
 *
 * All of the service runs on one event loop: there is no lock in it.
 */
package io.tributary.tso;
