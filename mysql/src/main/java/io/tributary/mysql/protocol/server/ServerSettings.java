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
 * @param limits of connections and bytes
 */
public record ServerSettings(
        InetSocketAddress address, String version, UserStore users, Optional<TlsSource> tls, Limits limits) {
    public ServerSettings {
        Objects.requireNonNull(address);
        Objects.requireNonNull(version);
        Objects.requireNonNull(users);
        Objects.requireNonNull(tls);
        Objects.requireNonNull(limits);
    }

    /**
     * How much of what.
     *
     * @param tlsRequired a login without TLS is refused with error 3159
     * @param loginTimeout from the connection to the end of its login
     * @param refusalDelay longest time that a host which was refused often waits for its next refusal
     * @param connections a further one is refused with error 1040
     * @param logins connections that are not logged in yet; a further one is refused with error 1040
     * @param loginBytes largest packet before the login
     * @param commandBytes largest command, in bytes; a dump's GTID set is part of one
     * @param outboundBytes a session has no room while more than this waits to be sent, until it has fallen to half
     */
    public record Limits(
            boolean tlsRequired,
            Duration loginTimeout,
            Duration refusalDelay,
            int connections,
            int logins,
            int loginBytes,
            int commandBytes,
            int outboundBytes) {
        /** TLS not required, 10 s to log in, 1024 connections, 256 logins; 16 KiB before the login, 64 MiB later, 1 MiB out. */
        public static final Limits USUAL =
                new Limits(false, Duration.ofSeconds(10), Duration.ofSeconds(3), 1024, 256, 1 << 14, 1 << 26, 1 << 20);

        public Limits {
            if (loginTimeout.isNegative() || loginTimeout.isZero()) {
                throw new IllegalArgumentException("expected a positive login timeout, came " + loginTimeout);
            }
            if (connections < 1 || logins < 1 || loginBytes < 256 || commandBytes < 256 || outboundBytes < 1024) {
                throw new IllegalArgumentException("expected bounds of at least 1, 1, 256, 256 and 1024, came "
                        + connections + ", " + logins + ", " + loginBytes + ", " + commandBytes + ", " + outboundBytes);
            }
        }

        /** The same for logins of other number and time, and with or without a need for TLS. */
        public Limits withLogins(int most, Duration timeout, boolean needTls) {
            return new Limits(
                    needTls, timeout, refusalDelay, connections, most, loginBytes, commandBytes, outboundBytes);
        }

        /** The same with another number of connections. */
        public Limits withConnections(int most) {
            return new Limits(
                    tlsRequired, loginTimeout, refusalDelay, most, logins, loginBytes, commandBytes, outboundBytes);
        }

        /** The same with another delay of refusals. */
        public Limits withRefusalDelay(Duration longest) {
            return new Limits(
                    tlsRequired, loginTimeout, longest, connections, logins, loginBytes, commandBytes, outboundBytes);
        }
    }

    /** No TLS, {@link Limits#USUAL}. */
    public static ServerSettings of(InetSocketAddress address, String version, UserStore users) {
        return new ServerSettings(address, version, users, Optional.empty(), Limits.USUAL);
    }

    /** The same, with TLS offered. */
    public ServerSettings withTls(SslContext context) {
        return withTls(TlsSource.of(context));
    }

    /** The same, with TLS offered. */
    public ServerSettings withTls(TlsSource source) {
        return new ServerSettings(address, version, users, Optional.of(source), limits);
    }

    /** The same with other limits. */
    public ServerSettings with(Limits other) {
        return new ServerSettings(address, version, users, tls, other);
    }
}
