/**
 * Looking into the binlog files: the events of one, and the place of a time, a GTID or a TSO. Everything is done in steps that
 * are bounded, so that it may share a thread with others.
 */
package io.tributary.dumper.find;
