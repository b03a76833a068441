/** {@code bin/bench collect}: the stages of the collector on one thread, from tokens to encoded chunks. */
package io.tributary.bench.collect;
