package io.tributary.serve;

import io.tributary.common.config.Key;
import java.nio.file.Path;
import java.util.Optional;

/** The configuration keys of TLS for readers. */
public record ServeTlsConfig(
        @Key(value = "serve.tls.enabled", byDefault = "true", about = "Whether readers may use TLS 1.2 and 1.3.")
        boolean enabled,

        @Key(
                value = "serve.tls.required",
                byDefault = "false",
                about = "Whether a login without TLS is refused (error 3159).")
        boolean required,

        @Key(
                value = "serve.tls.certificate",
                about = "The server's certificate and the intermediate certificates up to its CA, in"
                        + " PEM; not set: a self-signed certificate that the node creates.")
        Optional<Path> certificate,

        @Key(value = "serve.tls.key", about = "Private key of serve.tls.certificate, in PEM (PKCS #8).")
        Optional<Path> key,

        @Key(
                value = "serve.tls.ca",
                about = "CA of the readers' certificates, in PEM; not set: readers are not asked for certificates.")
        Optional<Path> ca) {
    public ServeTlsConfig {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException(
                    "serve.tls.certificate and serve.tls.key: expected both or none, found only one");
        }
        if (required && !enabled) {
            throw new IllegalArgumentException(
                    "serve.tls.required: expected serve.tls.enabled with it, found TLS not enabled");
        }
    }
}
