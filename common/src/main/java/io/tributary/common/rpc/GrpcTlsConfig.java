package io.tributary.common.rpc;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS between nodes, both ways.
 *
 * @param certificate this node's, with those between it and the CA
 * @param key of it
 * @param ca of all nodes' certificates
 * @param name that others' certificates must bear
 * @param insecure whether a node without TLS may listen beyond loopback
 */
public record GrpcTlsConfig(
        @Key(
                value = "grpc.tls.certificate",
                about =
                        "This node's certificate and those between it and its CA, in PEM; it shows it as server and as client."
                                + " With it grpc.tls.key and grpc.tls.ca; none of them: the nodes talk in the clear.")
        Optional<Path> certificate,

        @Key(value = "grpc.tls.key", about = "The certificate's private key, in PEM (PKCS #8).")
        Optional<Path> key,

        @Key(
                value = "grpc.tls.ca",
                about = "CA of the nodes' certificates, in PEM: only nodes with a certificate of it are talked to.")
        Optional<Path> ca,

        @Key(
                value = "grpc.tls.name",
                about =
                        "DNS name that the certificates of nodes that are called must bear; none: the host by which each is"
                                + " called.")
        Optional<String> name,

        @Key(
                value = "grpc.insecure",
                byDefault = "false",
                about =
                        "Whether transmit.listen, dumper.listen and tso.listen may be beyond loopback without grpc.tls.*: whoever reaches"
                                + " them is taken for a node then, and may read the whole binlog.")
        boolean insecure) {
    /** In the clear, on loopback. */
    public static final GrpcTlsConfig NONE =
            new GrpcTlsConfig(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

    public GrpcTlsConfig {
        if (certificate.isPresent() != key.isPresent() || key.isPresent() != ca.isPresent()) {
            throw new IllegalArgumentException(
                    "grpc.tls.certificate, grpc.tls.key and grpc.tls.ca: expected all or none, found some");
        }
    }

    /** Whether whoever reaches that address is taken for a node: there is no TLS, and it is beyond loopback or unknown. */
    public boolean isOpen(HostPort listen) {
        InetAddress address = listen.resolve().getAddress();
        return !isEnabled() && (address == null || !address.isLoopbackAddress());
    }

    /** Whether nodes prove themselves to each other, callers too. */
    public boolean isEnabled() {
        return certificate.isPresent();
    }
}
