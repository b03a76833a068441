/** {@code bin/bench reshape}: rows events of one table map to rows events of another. */
package io.tributary.bench.reshape;
