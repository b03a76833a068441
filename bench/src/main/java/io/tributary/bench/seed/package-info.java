/** The copy and the replay of tributary seed. */
package io.tributary.bench.seed;
