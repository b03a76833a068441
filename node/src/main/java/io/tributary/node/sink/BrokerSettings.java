package io.tributary.node.sink;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings of Kafka's clients that follow from the keys. */
final class BrokerSettings {
    private static final String PEM = "PEM";

    private BrokerSettings() {}

    /**
     * Those of connections: names and values as Kafka documents them.
     *
     * @throws TributaryException TLS_UNUSABLE if a file cannot be read
     */
    static Map<String, Object> of(KafkaConfig keys) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(
                "bootstrap.servers", keys.brokers().stream().map(HostPort::toString).collect(Collectors.joining(",")));
        settings.put("security.protocol", keys.security().protocol().name());
        if (keys.security().protocol().usesLogin()) {
            login(settings, keys.security().login());
        }
        if (keys.security().protocol().usesTls()) {
            tls(settings, keys.security().tls());
        }
        return settings;
    }

    private static void login(Map<String, Object> settings, KafkaConfig.Login login) {
        boolean isPlain = login.mechanism() == KafkaConfig.Mechanism.PLAIN;
        settings.put("sasl.mechanism", login.mechanism().name().replace('_', '-'));
        settings.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security." + (isPlain ? "plain.Plain" : "scram.Scram")
                        + "LoginModule required username=" + quoted(login.user().orElseThrow()) + " password="
                        + quoted(login.password().map(Secret::reveal).orElse("")) + ";");
    }

    /** A value of a JAAS configuration. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static void tls(Map<String, Object> settings, KafkaConfig.Tls tls) {
        tls.authorities().ifPresent(file -> {
            settings.put("ssl.truststore.type", PEM);
            settings.put("ssl.truststore.certificates", content("sink.kafka.tls.ca", file));
        });
        tls.certificate().ifPresent(file -> {
            settings.put("ssl.keystore.type", PEM);
            settings.put("ssl.keystore.certificate.chain", content("sink.kafka.tls.certificate", file));
            settings.put("ssl.keystore.key", content("sink.kafka.tls.key", tls.key().orElseThrow()));
        });
    }

    private static String content(String key, Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.TLS_UNUSABLE, key + ": expected a PEM file that can be read, found " + e, e);
        }
    }

    /** The value of {@code compression.type}. */
    static String compression(KafkaConfig keys) {
        return keys.rate().compression().name().toLowerCase(Locale.ROOT);
    }
}
