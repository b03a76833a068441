package io.tributary.transmitter;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.rpc.GrpcTlsConfig;

/**
 * The configuration keys of the stream between a Task and a Dumper.
 *
 * @param listen the address on which a Task accepts streams
 * @param task the address at which a Dumper finds the Task
 * @param stream the stream's name, the same on both nodes
 * @param limits the most bytes and the longest idle time
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

        StreamLimits limits,

        GrpcTlsConfig tls) {

    /** The same for another Task. */
    public TransmitConfig withTask(HostPort other) {
        return new TransmitConfig(listen, other, stream, limits, tls);
    }
}
