/**
 * The level-1 sort of `tso` order (docs/ordering.md): one shard's tokens come in the order of its log and leave in the order of their
 * TSOs.
 *
 * <pre>
 *   token ──> TsoSort ──┬── PREPARE: a hole until it is decided (Holes)
 *                       ├── COMMIT, local with a TSO: held at its TSO
 *                       └── all else: held directly behind the last TSO
 *                                │ nothing that could stand before it is undecided
 *                                └──> leaves
 * </pre>
 */
package io.tributary.extractor.tso;
