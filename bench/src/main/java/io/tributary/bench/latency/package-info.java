/** {@code bin/bench latency}: from a commit on a real shard to its arrival at a reader of the node. */
package io.tributary.bench.latency;
