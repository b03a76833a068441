package io.tributary.mysql.protocol.client;

/** How a {@link BinlogStream} ended. */
public sealed interface StreamEnd {
    /** The server has sent all that it has; only in a dump without waiting. */
    record Finished() implements StreamEnd {}

    /** The server ended the dump with an error, such as 1236: it cannot serve the wanted position. */
    record Refused(MysqlServerError error) implements StreamEnd {}

    /** The connection is gone, or what came is no replication stream; the cause says which. */
    record Lost(Throwable cause) implements StreamEnd {}
}
