package io.tributary.mysql.protocol.client;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The address of a server and the login there.
 *
 * @param host name or address
 * @param port 1 to 65535
 * @param connectTimeout from the first packet to the end of the login
 */
public record Endpoint(String host, int port, Credentials credentials, ClientTls tls, Duration connectTimeout) {
    public Endpoint {
        Objects.requireNonNull(host);
        Objects.requireNonNull(credentials);
        Objects.requireNonNull(tls);
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("expected a port of 1 to 65535, found " + port);
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("expected a positive connect timeout, found " + connectTimeout);
        }
    }

    /** An endpoint with TLS if the server offers it and 10 seconds to connect. */
    public static Endpoint of(String host, int port, String user, String password) {
        ClientTls tls = new ClientTls(TlsMode.PREFERRED, Optional.empty());
        return new Endpoint(host, port, new Credentials(user, password), tls, Duration.ofSeconds(10));
    }

    /** The same with another use of TLS. */
    public Endpoint with(TlsMode mode) {
        return new Endpoint(host, port, credentials, new ClientTls(mode, tls.authorities()), connectTimeout);
    }

    /** The same with another user. */
    public Endpoint with(Credentials other) {
        return new Endpoint(host, port, other, tls, connectTimeout);
    }

    /** {@code user@host:port}, for messages. */
    @Override
    public String toString() {
        return credentials.user() + "@" + host + ":" + port;
    }
}
