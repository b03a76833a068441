/** {@code bin/bench write}: the stages that write binlog files, fed from memory, beside {@code dd} of the same bytes. */
package io.tributary.bench.write;
