package io.tributary.node.sink;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The configuration keys of the Kafka brokers to which a sink sends. */
public record KafkaConfig(
        @Key(
                value = "sink.brokers",
                required = true,
                live = true,
                about = "Addresses of some Kafka brokers of the cluster, such as 10.0.0.5:9092; the others are found by them.")
        List<HostPort> brokers,

        Security security,
        Times times,
        Rate rate) {
    /** How connections to the brokers are protected. */
    public enum Protocol {
        PLAINTEXT,
        SSL,
        SASL_PLAINTEXT,
        SASL_SSL;

        /** Whether connections use TLS. */
        public boolean usesTls() {
            return this == SSL || this == SASL_SSL;
        }

        /** Whether a user logs in. */
        public boolean usesLogin() {
            return this == SASL_PLAINTEXT || this == SASL_SSL;
        }
    }

    /** How a user logs in to the brokers. */
    public enum Mechanism {
        PLAIN,
        SCRAM_SHA_256,
        SCRAM_SHA_512
    }

    /** How messages are compressed. */
    public enum Compression {
        NONE,
        LZ4,
        ZSTD,
        SNAPPY,
        GZIP
    }

    public KafkaConfig {
        brokers = List.copyOf(brokers);
        if (brokers.isEmpty()) {
            throw new IllegalArgumentException("sink.brokers: expected at least one address, found none");
        }
    }

    /** The protection of connections to the brokers. */
    public record Security(
            @Key(
                    value = "sink.kafka.security",
                    byDefault = "plaintext",
                    live = true,
                    about = "How connections to the brokers are protected (Kafka's security.protocol).")
            Protocol protocol,

            Login login,
            Tls tls) {
        public Security {
            if (protocol.usesLogin() && login.user.isEmpty()) {
                throw new IllegalArgumentException(
                        "sink.kafka.user: expected a user for sink.kafka.security with SASL, found none");
            }
            if (tls.certificate.isPresent() != tls.key.isPresent()) {
                throw new IllegalArgumentException(
                        "sink.kafka.tls.certificate: expected it together with sink.kafka.tls.key, found only one of them");
            }
        }
    }

    /** The account on the brokers. */
    public record Login(
            @Key(
                    value = "sink.kafka.sasl",
                    byDefault = "scram-sha-512",
                    live = true,
                    about = "How the user logs in to the brokers (Kafka's sasl.mechanism), if sink.kafka.security uses SASL.")
            Mechanism mechanism,

            @Key(
                    value = "sink.kafka.user",
                    live = true,
                    about = "User on the brokers, for SASL; docs/sink.md lists its rights.")
            Optional<String> user,

            @Key(value = "sink.kafka.password", live = true, secret = true, about = "Password of sink.kafka.user.")
            Optional<Secret> password) {}

    /** The certificates for connections to the brokers. */
    public record Tls(
            @Key(
                    value = "sink.kafka.tls.ca",
                    live = true,
                    about = "PEM file with the certificates that are trusted for the brokers; not set: those of the JVM.")
            Optional<Path> authorities,

            @Key(
                    value = "sink.kafka.tls.certificate",
                    live = true,
                    about = "PEM file with the sink's own certificate and its chain, if the brokers ask for one.")
            Optional<Path> certificate,

            @Key(
                    value = "sink.kafka.tls.key",
                    live = true,
                    about = "PEM file with the private key of this certificate (PKCS#8, not encrypted).")
            Optional<Path> key) {}

    /** Time limits of the brokers. */
    public record Times(
            @Key(
                    value = "sink.kafka.request.timeout",
                    byDefault = "30s",
                    min = "1s",
                    max = "10min",
                    about = "How long a broker may take for the answer to one request.")
            Duration request,

            @Key(
                    value = "sink.kafka.delivery.timeout",
                    byDefault = "2min",
                    min = "2s",
                    max = "1h",
                    about =
                            "How long a message may take until it is acknowledged, with all repetitions; then the sink begins again"
                                    + " from its progress.")
            Duration delivery) {
        public Times {
            if (delivery.compareTo(request) < 0) {
                throw new IllegalArgumentException("sink.kafka.delivery.timeout: expected at least"
                        + " sink.kafka.request.timeout, " + request + ", found " + delivery);
            }
        }
    }

    /** How many bytes are sent. */
    public record Rate(
            @Key(
                    value = "sink.kafka.compression",
                    byDefault = "lz4",
                    about = "How messages are compressed (Kafka's compression.type).")
            Compression compression) {}
}
