package io.tributary.mysql.protocol.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The address of a server and the login there.
 *
 * @param host name or address
 * @param port 1 to 65535
 * @param password in plaintext; never printed
 * @param authorities certificates in PEM that {@link TlsMode#VERIFY} trusts; empty: those of the Java platform
 * @param connectTimeout from the first packet to the end of the login
 */
public record Endpoint(
        String host,
        int port,
        String user,
        String password,
        TlsMode tls,
        Optional<Path> authorities,
        Duration connectTimeout) {
    public Endpoint {
        Objects.requireNonNull(host);
        Objects.requireNonNull(user);
        Objects.requireNonNull(password);
        Objects.requireNonNull(tls);
        Objects.requireNonNull(authorities);
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("expected a port of 1 to 65535, found " + port);
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("expected a positive connect timeout, found " + connectTimeout);
        }
    }

    /** An endpoint with TLS if the server offers it and 10 seconds to connect. */
    public static Endpoint of(String host, int port, String user, String password) {
        return new Endpoint(host, port, user, password, TlsMode.PREFERRED, Optional.empty(), Duration.ofSeconds(10));
    }

    /** The same with another use of TLS. */
    public Endpoint with(TlsMode mode) {
        return new Endpoint(host, port, user, password, mode, authorities, connectTimeout);
    }

    /** {@code user@host:port}, for messages. */
    @Override
    public String toString() {
        return user + "@" + host + ":" + port;
    }
}
