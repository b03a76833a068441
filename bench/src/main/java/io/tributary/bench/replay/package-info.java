/** {@code bin/bench replay}: a real replica applies the node's binlog with eight workers, compared with one. */
package io.tributary.bench.replay;
