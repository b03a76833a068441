/** Reads the rows that the tables of the stream have at a place, from a server that stands still there. */
package io.tributary.sink.snapshot;
