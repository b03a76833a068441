/**
 * Applies the output of a node to a server that cannot be a replica of it, or that is far away: {@link io.tributary.apply.Applier} reads the stream in one
 * thread and passes transactions to several sessions of the target. Each transaction is applied exactly once: what was applied is committed together
 * with its rows.
 */
package io.tributary.apply;
