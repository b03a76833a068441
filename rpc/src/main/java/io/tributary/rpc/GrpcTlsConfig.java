package io.tributary.rpc;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Mutual TLS between nodes.
 *
 * @param certificate of this node, with the intermediate certificates up to the CA
 * @param key of this node's certificate
 * @param ca of all nodes' certificates
 * @param name that the certificates of other nodes must contain
 * @param insecure whether a node without TLS may listen on addresses other than loopback
 */
public record GrpcTlsConfig(
        @Key(
                value = "grpc.tls.certificate",
                about = "This node's certificate and the intermediate certificates up to its CA, in PEM;"
                        + " the node presents it as server and as client. Requires grpc.tls.key and"
                        + " grpc.tls.ca; if none of the three is set, the nodes communicate without"
                        + " encryption.")
        Optional<Path> certificate,

        @Key(value = "grpc.tls.key", about = "Private key of grpc.tls.certificate, in PEM (PKCS #8).")
        Optional<Path> key,

        @Key(
                value = "grpc.tls.ca",
                about = "CA of the nodes' certificates, in PEM: only nodes with a certificate of this CA"
                        + " are accepted.")
        Optional<Path> ca,

        @Key(
                value = "grpc.tls.name",
                about = "DNS name that the certificate of each node that this one calls must contain;"
                        + " not set: the host name in the address of the call.")
        Optional<String> name,

        @Key(
                value = "grpc.insecure",
                byDefault = "false",
                about = "Whether transmit.listen, dumper.listen and tso.listen may be other addresses"
                        + " than loopback without grpc.tls.*: then every program that reaches these"
                        + " addresses is accepted as a node and may read the whole binlog.")
        boolean insecure) {
    /** No TLS, loopback only. */
    public static final GrpcTlsConfig NONE =
            new GrpcTlsConfig(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

    public GrpcTlsConfig {
        if (certificate.isPresent() != key.isPresent() || key.isPresent() != ca.isPresent()) {
            throw new IllegalArgumentException(
                    "grpc.tls.certificate, grpc.tls.key and grpc.tls.ca: expected all or none, found some");
        }
    }

    /** Whether every program that reaches that address is accepted as a node: there is no TLS, and the address is unknown or not loopback. */
    public boolean isOpen(HostPort listen) {
        InetAddress address = listen.resolve().getAddress();
        return !isEnabled() && (address == null || !address.isLoopbackAddress());
    }

    /** Whether nodes authenticate each other with TLS, as server and as client. */
    public boolean isEnabled() {
        return certificate.isPresent();
    }
}
