package io.tributary.binlog.replicate;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.rpc.GrpcTlsConfig;
import java.time.Duration;

/**
 * The keys of the connections between a leader and its followers.
 *
 * @param chunk bytes of a file in one message
 * @param credit bytes that may be sent ahead of the bytes that a follower has written
 * @param keepAlive after this time without a message one side asks the other for a sign of life
 * @param tls how the nodes authenticate each other
 */
public record ReplicationTransport(
        @Key(
                value = "dumper.chunk",
                byDefault = "1MiB",
                min = "4KiB",
                max = "16MiB",
                about = "Bytes of a file in one message to a follower.")
        ByteSize chunk,

        @Key(
                value = "dumper.credit",
                byDefault = "8MiB",
                min = "64KiB",
                max = "1GiB",
                about = "Bytes that a leader sends ahead of the bytes that a follower has written.")
        ByteSize credit,

        @Key(
                value = "dumper.keepalive",
                byDefault = "2s",
                min = "100ms",
                max = "1min",
                about = "After this long without a message leader and follower ask each other for a sign"
                        + " of life. The follower opens the connection and asks after 10 s at the"
                        + " earliest; this is gRPC's minimum.")
        Duration keepAlive,

        GrpcTlsConfig tls) {

    /** Space in a message besides the file's bytes: names, and the list of files. */
    private static final int OVERHEAD = 4 << 20;

    /** Size of the largest message, in both directions. */
    int message() {
        return (int) chunk.bytes() + OVERHEAD;
    }

    /** How many messages may be sent before the follower has processed them. */
    int messagesAhead() {
        return (int) Math.max(2, credit.bytes() / chunk.bytes());
    }
}
