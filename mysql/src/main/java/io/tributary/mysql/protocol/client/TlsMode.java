package io.tributary.mysql.protocol.client;

/**
 * How a connection uses TLS; the meanings of MySQL's {@code --ssl-mode}. A password never goes in clear text over a connection
 * without TLS: where {@code caching_sha2_password} wants it, it is encrypted with the RSA key that the server shows.
 */
public enum TlsMode {
    /** Never. */
    DISABLED,
    /** Where the server offers it; its certificate is not checked. */
    PREFERRED,
    /** Always; the certificate is not checked. */
    REQUIRED,
    /** Always, with a certificate that a trusted authority has signed for the host's name. */
    VERIFY
}
