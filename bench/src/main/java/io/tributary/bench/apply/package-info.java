/** {@code bin/bench apply}: the applier of a node, compared with one session that applies statement by statement. */
package io.tributary.bench.apply;
