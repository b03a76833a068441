/** {@code bin/bench collect}: the stages of collecting on one thread, tokens in, laid out chunks out. */
package io.tributary.bench.collect;
