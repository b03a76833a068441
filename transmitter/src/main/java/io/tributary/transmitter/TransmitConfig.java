package io.tributary.transmitter;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.rpc.GrpcTlsConfig;
import java.time.Duration;

/**
 * The configuration keys of the stream between a Task and a Dumper.
 *
 * @param listen the address on which a Task accepts streams
 * @param task the address at which a Dumper finds the Task
 * @param stream the stream's name, the same on both nodes
 * @param credit the most bytes of messages that a Dumper accepts before it has processed them
 * @param message the size of the largest message, on either side
 * @param queue the most bytes that wait for the network in a Task
 * @param keepAlive idle time after which a side checks whether the other still answers
 * @param tls how the nodes authenticate each other
 */
public record TransmitConfig(
        @Key(
                value = "transmit.listen",
                byDefault = "127.0.0.1:3320",
                about = "Address on which a Task accepts the stream of a Dumper. Without grpc.tls.* keep it in a"
                        + " private network.")
        HostPort listen,

        @Key(value = "transmit.task", byDefault = "127.0.0.1:3320", about = "Address of a Dumper's Task.")
        HostPort task,

        @Key(
                value = "transmit.stream",
                byDefault = "main",
                about = "Name of the stream; it is the same on a Task and its Dumper.")
        String stream,

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
        Duration keepAlive,

        GrpcTlsConfig tls) {

    /** The same for another Task. */
    public TransmitConfig withTask(HostPort other) {
        return new TransmitConfig(listen, other, stream, credit, message, queue, keepAlive, tls);
    }

    public TransmitConfig {
        if (credit.bytes() < 1 || queue.bytes() < 1 || message.bytes() < 1 || message.bytes() > 1 << 30) {
            throw new IllegalArgumentException(
                    "expected transmit.credit, .queue and .message of 1B or more and .message of 1GiB at most, found "
                            + credit + ", " + queue + " and " + message);
        }
    }
}
