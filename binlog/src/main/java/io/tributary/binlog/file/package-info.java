/** The binlog's files on disk: directory, lock, index, heads, events, cuts, sparse index, and the check of a file's end. */
package io.tributary.binlog.file;
