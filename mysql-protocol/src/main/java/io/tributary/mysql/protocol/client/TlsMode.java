package io.tributary.mysql.protocol.client;

/**
 * How a connection uses TLS; the meanings of MySQL's {@code --ssl-mode}. A password is never sent in plaintext over a connection
 * without TLS: if {@code caching_sha2_password} requires it, it is encrypted with the RSA key that the server sends.
 */
public enum TlsMode {
    /** Never. */
    DISABLED,
    /** If the server offers it; its certificate is not checked. */
    PREFERRED,
    /** Always; the certificate is not checked. */
    REQUIRED,
    /** Always, with a certificate that a trusted authority has issued for the host's name. */
    VERIFY
}
