package io.tributary.mysql.protocol.client;

/** How a {@link BinlogStream} ended. */
public sealed interface StreamEnd {
    /** The server has sent all events that it has; only in a dump without waiting. */
    record Finished() implements StreamEnd {}

    /** The server ended the dump with an error, such as 1236: it cannot serve the requested position. */
    record Refused(MysqlServerError error) implements StreamEnd {}

    /** The connection is lost, or the received bytes are not a replication stream; the cause shows which. */
    record Lost(Throwable cause) implements StreamEnd {}
}
