/** {@code bin/bench pipeline}: all six stages in a separate process over the loopback source, compared with {@code mysqlbinlog --raw}. */
package io.tributary.bench.pipeline;
