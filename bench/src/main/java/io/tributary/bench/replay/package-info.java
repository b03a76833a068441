/** Replay of the node's binlog by a real replica: eight workers beside one. */
package io.tributary.bench.replay;
