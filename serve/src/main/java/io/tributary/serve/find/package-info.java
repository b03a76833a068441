/**
 * Searches in the binlog files: the events of one file, and the position of a time, a GTID or a TSO. All work is done in bounded steps, so
 * that it can share a thread with other work.
 */
package io.tributary.serve.find;
