/** The serving of the binlog: one reader beside a real server, many at the tail, many that rest. */
package io.tributary.bench.readers;
