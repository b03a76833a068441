/** {@code bin/bench pipeline}: all six stages in a process of their own over the loopback source, beside {@code mysqlbinlog --raw}. */
package io.tributary.bench.pipeline;
