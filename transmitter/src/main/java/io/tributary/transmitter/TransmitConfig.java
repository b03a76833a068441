package io.tributary.transmitter;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.rpc.GrpcTlsConfig;
import java.time.Duration;

/**
 * The keys of the stream between Task and Dumper.
 *
 * @param listen where a Task takes streams
 * @param task where a Dumper finds the Task
 * @param stream the stream's name, the same on both
 * @param credit bytes of messages that a Dumper lets come ahead of what it has taken
 * @param message the largest message, on either side
 * @param queue bytes that a Task lets wait for the network
 * @param keepAlive after this long without a word a side asks the other whether it lives
 * @param tls how the nodes prove themselves to each other
 */
public record TransmitConfig(
        @Key(
                value = "transmit.listen",
                byDefault = "127.0.0.1:3320",
                about =
                        "Address on which a Task takes the stream of a Dumper. Without grpc.tls.* keep it in a private network.")
        HostPort listen,

        @Key(value = "transmit.task", byDefault = "127.0.0.1:3320", about = "Address at which a Dumper finds its Task.")
        HostPort task,

        @Key(
                value = "transmit.stream",
                byDefault = "main",
                about = "Name of the stream; a Task and its Dumper have the same.")
        String stream,

        @Key(
                value = "transmit.credit",
                byDefault = "32MiB",
                min = "64KiB",
                max = "4GiB",
                about = "Bytes that a Dumper lets come ahead of what it has written.")
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
                about = "Bytes that a Task lets wait for the network before its collector waits.")
        ByteSize queue,

        @Key(
                value = "transmit.keepalive",
                byDefault = "10s",
                min = "1s",
                max = "1h",
                about =
                        "After this long without a word Task and Dumper ask each other for a sign of life; the calling side, a Dumper or the Task"
                                + " above a relay, never sooner than after 10 s, which is gRPC's least.")
        Duration keepAlive,

        GrpcTlsConfig tls) {

    /** The same for another Task. */
    public TransmitConfig withTask(HostPort other) {
        return new TransmitConfig(listen, other, stream, credit, message, queue, keepAlive, tls);
    }

    public TransmitConfig {
        if (credit.bytes() < 1 || queue.bytes() < 1 || message.bytes() < 1 || message.bytes() > 1 << 30) {
            throw new IllegalArgumentException(
                    "transmit.credit, .queue and .message are 1B or more, .message 1GiB at most");
        }
    }
}
