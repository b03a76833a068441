/** Reads the rows that the tables of the stream have at a place, from a server whose replication is stopped there. */
package io.tributary.sink.snapshot;
