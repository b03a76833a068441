/** {@code bin/bench extract}: one shard's stream, from a loopback source, to tokens. */
package io.tributary.bench.extract;
