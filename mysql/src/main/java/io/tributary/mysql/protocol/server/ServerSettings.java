package io.tributary.mysql.protocol.server;

import io.netty.handler.ssl.SslContext;
import io.tributary.mysql.protocol.auth.UserStore;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a {@link MysqlServer} needs to know.
 *
 * @param address where to listen; port 0 takes a free one
 * @param version as the greeting names it, such as {@code 8.0.31-tributary}
 * @param users who may log in
 * @param tls empty: TLS is not offered
 * @param loginTimeout from the connection to the end of its login
 * @param maxConnections a further one is refused with error 1040
 * @param maxLoginBytes largest packet before the login
 * @param maxCommandBytes largest command, in bytes; a dump's GTID set is part of one
 * @param outboundBytes a session has no room while more than this waits to be sent, until it has fallen to half
 */
public record ServerSettings(
        InetSocketAddress address,
        String version,
        UserStore users,
        Optional<SslContext> tls,
        Duration loginTimeout,
        int maxConnections,
        int maxLoginBytes,
        int maxCommandBytes,
        int outboundBytes) {
    public ServerSettings {
        Objects.requireNonNull(address);
        Objects.requireNonNull(version);
        Objects.requireNonNull(users);
        Objects.requireNonNull(tls);
        if (loginTimeout.isNegative() || loginTimeout.isZero()) {
            throw new IllegalArgumentException("expected a positive login timeout, came " + loginTimeout);
        }
        if (maxConnections < 1 || maxLoginBytes < 256 || maxCommandBytes < 256 || outboundBytes < 1024) {
            throw new IllegalArgumentException("expected bounds of at least 1, 256, 256 and 1024, came "
                    + maxConnections + ", " + maxLoginBytes + ", " + maxCommandBytes + ", " + outboundBytes);
        }
    }

    /** No TLS, 10 s to log in, 1024 connections, 64 KiB before the login, commands of 64 MiB, 1 MiB outbound. */
    public static ServerSettings of(InetSocketAddress address, String version, UserStore users) {
        return new ServerSettings(
                address, version, users, Optional.empty(), Duration.ofSeconds(10), 1024, 1 << 16, 1 << 26, 1 << 20);
    }

    /** The same, with TLS offered. */
    public ServerSettings withTls(SslContext context) {
        return new ServerSettings(
                address,
                version,
                users,
                Optional.of(context),
                loginTimeout,
                maxConnections,
                maxLoginBytes,
                maxCommandBytes,
                outboundBytes);
    }

    /** The same with another time to log in. */
    public ServerSettings withLoginTimeout(Duration timeout) {
        return new ServerSettings(
                address, version, users, tls, timeout, maxConnections, maxLoginBytes, maxCommandBytes, outboundBytes);
    }

    /** The same with another number of connections. */
    public ServerSettings withMaxConnections(int connections) {
        return new ServerSettings(
                address, version, users, tls, loginTimeout, connections, maxLoginBytes, maxCommandBytes, outboundBytes);
    }
}
