/**
 * What the roles share that read the binlog of other nodes as clients, {@code apply} and {@code sink}: the runs one after another
 * ({@link io.tributary.node.reader.ReaderRuns}), the nodes of which one is read, the state, and the lag.
 */
package io.tributary.node.reader;
