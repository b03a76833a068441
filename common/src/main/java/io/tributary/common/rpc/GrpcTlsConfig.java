package io.tributary.common.rpc;

import io.tributary.common.config.Key;
import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS between nodes, both ways.
 *
 * @param certificate this node's, with those between it and the CA
 * @param key of it
 * @param ca of all nodes' certificates
 * @param name that others' certificates must bear
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
        Optional<String> name) {
    /** In the clear. */
    public static final GrpcTlsConfig NONE =
            new GrpcTlsConfig(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public GrpcTlsConfig {
        if (certificate.isPresent() != key.isPresent() || key.isPresent() != ca.isPresent()) {
            throw new IllegalArgumentException(
                    "grpc.tls.certificate, grpc.tls.key and grpc.tls.ca: expected all or none, found some");
        }
    }

    boolean isEnabled() {
        return certificate.isPresent();
    }
}
