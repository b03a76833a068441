package io.tributary.transmitter;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.rpc.GrpcTlsConfig;
import java.time.Duration;

/** Configurations of both ends of a stream, on loopback. */
final class TransmitSettings {
    private static final int MIB = 1 << 20;

    private TransmitSettings() {}

    /** @param credit bytes that may be in flight */
    static TransmitConfig at(int port, long credit) {
        return at(port, credit, GrpcTlsConfig.NONE);
    }

    static TransmitConfig at(int port, long credit, GrpcTlsConfig tls) {
        HostPort address = new HostPort("127.0.0.1", port);
        return new TransmitConfig(
                address,
                address,
                "main",
                new StreamLimits(
                        new ByteSize(credit), new ByteSize(4 * MIB), new ByteSize(MIB), Duration.ofSeconds(10)),
                tls);
    }
}
