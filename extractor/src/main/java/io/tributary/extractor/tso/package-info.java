/**
 * The level-1 sort of `tso` order (docs/ordering.md): one shard's tokens arrive in the order of its log and leave in the order of their TSOs.
 *
 * <pre>
 *   token ──> TsoSort ──┬── PREPARE: undecided until its outcome is read (PendingBranches)
 *                       ├── COMMIT, local with a TSO: waits at its TSO
 *                       └── all others: wait directly after the last TSO
 *                                │ no branch that could be before it is undecided
 *                                └──> leaves
 * </pre>
 */
package io.tributary.extractor.tso;
