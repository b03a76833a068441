/** {@code bin/bench write}: the stages that write binlog files, with input from memory, compared with {@code dd} of the same bytes. */
package io.tributary.bench.write;
