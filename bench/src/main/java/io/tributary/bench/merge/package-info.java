/** {@code bin/bench merge}: the merge alone, with tokens from memory through one flat merger, and through a tree of mergers on two threads. */
package io.tributary.bench.merge;
