/**
 * The output of a node as transactions that a client applies to a server: {@link io.tributary.replay.stream.StreamReader} reads the stream as a
 * replica, {@link io.tributary.replay.stream.TransactionInput} assembles transactions of its events, and {@link
 * io.tributary.replay.stream.TransactionRows} makes the events of BINLOG statements of their rows.
 */
package io.tributary.replay.stream;
