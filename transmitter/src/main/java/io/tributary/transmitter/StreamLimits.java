package io.tributary.transmitter;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import java.time.Duration;

/**
 * The configuration keys that limit one stream.
 *
 * @param credit the most bytes of messages that a Dumper accepts before it has processed them
 * @param message the size of the largest message, on either side
 * @param queue the most bytes that wait for the network in a Task
 * @param keepAlive idle time after which a side checks whether the other still answers
 */
public record StreamLimits(
        @Key(
                value = "transmit.credit",
                byDefault = "32MiB",
                min = "64KiB",
                max = "4GiB",
                about = "The most bytes that a Dumper has received and not yet written.")
        ByteSize credit,

        @Key(
                value = "transmit.message",
                byDefault = "64MiB",
                min = "1MiB",
                max = "1GiB",
                about = "Largest message between Task and Dumper.")
        ByteSize message,

        @Key(
                value = "transmit.queue",
                byDefault = "16MiB",
                min = "64KiB",
                max = "4GiB",
                about = "The most bytes that wait for the network in a Task; above it the collector waits.")
        ByteSize queue,

        @Key(
                value = "transmit.keepalive",
                byDefault = "10s",
                min = "1s",
                max = "1h",
                about = "Idle time after which Task and Dumper check whether the other still answers. The calling"
                        + " side, a Dumper or the Task above a relay, never checks before 10 s, which is the"
                        + " minimum of gRPC.")
        Duration keepAlive) {
    public StreamLimits {
        if (credit.bytes() < 1 || queue.bytes() < 1 || message.bytes() < 1 || message.bytes() > 1 << 30) {
            throw new IllegalArgumentException(
                    "expected transmit.credit, .queue and .message of 1B or more and .message of 1GiB at most, found "
                            + credit + ", " + queue + " and " + message);
        }
    }
}
