/** {@code bin/bench readers}: serving the binlog to one reader (compared with a real server), to many at the end, and to many idle ones. */
package io.tributary.bench.readers;
