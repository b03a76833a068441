package io.tributary.mysql.protocol.server;

import io.netty.handler.ssl.SslContext;
import io.tributary.mysql.protocol.auth.UserStore;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The settings of a {@link MysqlServer}.
 *
 * @param address where to listen; port 0 means any free port
 * @param version the version in the greeting, such as {@code 8.0.31-tributary}
 * @param users the users that may log in
 * @param tls empty: without TLS
 * @param limits of connections and bytes
 * @param compressed maximum number of compressed connections; 0: compression is not offered
 */
public record ServerSettings(
        InetSocketAddress address,
        String version,
        UserStore users,
        Optional<TlsSource> tls,
        Limits limits,
        int compressed) {
    private static final int USUAL_COMPRESSED = 128;

    public ServerSettings {
        Objects.requireNonNull(address);
        Objects.requireNonNull(version);
        Objects.requireNonNull(users);
        Objects.requireNonNull(tls);
        Objects.requireNonNull(limits);
    }

    /**
     * The limits of connections, sessions and memory.
     *
     * @param outboundBytes a dump has no room while more than this waits to be sent, until it has fallen to half
     */
    public record Limits(Logins logins, Sessions sessions, Memory memory, int outboundBytes) {
        /** The usual limits of each part, 1 MiB out. */
        public static final Limits USUAL = new Limits(Logins.USUAL, Sessions.USUAL, Memory.USUAL, 1 << 20);

        public Limits {
            if (outboundBytes < 1024) {
                throw new IllegalArgumentException("expected at least 1024 bytes out, found " + outboundBytes);
            }
        }

        /** The same with other limits of logins. */
        public Limits with(Logins other) {
            return new Limits(other, sessions, memory, outboundBytes);
        }

        /** The same with other sessions. */
        public Limits with(Sessions other) {
            return new Limits(logins, other, memory, outboundBytes);
        }

        /** The same with other limits of memory. */
        public Limits with(Memory other) {
            return new Limits(logins, sessions, other, outboundBytes);
        }
    }

    /**
     * The limits of connections that are not logged in yet.
     *
     * @param tlsRequired a login without TLS is refused with ER_SECURE_TRANSPORT_REQUIRED
     * @param timeout from the connection to the end of its login
     * @param refusalDelay maximum delay of the next refusal of a host that was refused often
     * @param most number of these connections; a further one is refused with ER_CON_COUNT_ERROR
     * @param packetBytes largest packet before the login
     */
    public record Logins(boolean tlsRequired, Duration timeout, Duration refusalDelay, int most, int packetBytes) {
        /** TLS not required, 10 s to log in, 256 connections, 16 KiB. */
        public static final Logins USUAL =
                new Logins(false, Duration.ofSeconds(10), Duration.ofSeconds(3), 256, 1 << 14);

        public Logins {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("expected a positive login timeout, found " + timeout);
            }
            if (most < 1 || packetBytes < 256) {
                throw new IllegalArgumentException(
                        "expected bounds of at least 1 and 256, found " + most + ", " + packetBytes);
            }
        }

        /** The same with another number and timeout, and with or without the requirement of TLS. */
        public Logins with(int otherMost, Duration otherTimeout, boolean needTls) {
            return new Logins(needTls, otherTimeout, refusalDelay, otherMost, packetBytes);
        }

        /** The same with another delay of refusals. */
        public Logins withRefusalDelay(Duration longest) {
            return new Logins(tlsRequired, timeout, longest, most, packetBytes);
        }
    }

    /**
     * The limits of sessions.
     *
     * @param most of users without {@link io.tributary.mysql.protocol.auth.Right#ADMIN}; a further one is refused with ER_CON_COUNT_ERROR
     * @param reserved number of additional sessions, for users with it
     * @param ofUser of one user whose account has no own limit; a further one is refused with ER_USER_LIMIT_REACHED; 0: no such limit
     * @param idle a session that has sent no command for this long, and has no dump, ends with ER_CLIENT_INTERACTION_TIMEOUT; the client may set
     *     another time for its session ({@code wait_timeout})
     */
    public record Sessions(int most, int reserved, int ofUser, Duration idle) {
        /** 1,024, 4 more for administrators, 256 per user, 8 hours. */
        public static final Sessions USUAL = new Sessions(1024, 4, 256, Duration.ofHours(8));

        public Sessions {
            if (most < 1 || reserved < 0 || ofUser < 0 || idle.toSeconds() < 1) {
                throw new IllegalArgumentException("expected at least 1, 0, 0 and 1 s, found " + most + ", " + reserved
                        + ", " + ofUser + ", " + idle);
            }
        }
    }

    /**
     * Memory limits for user variables, prepared statements and packets of clients, in bytes.
     *
     * @param statement largest command; a longer one fails with ER_NET_PACKET_TOO_LARGE
     * @param dump largest request for a dump, for users who may dump: it contains a GTID set
     * @param session maximum of one session; above it a statement fails with ER_CAPACITY_EXCEEDED
     * @param all maximum of all sessions together; above it a statement fails in the same way
     */
    public record Memory(int statement, int dump, long session, long all) {
        /** 1 MiB, 16 MiB, 4 MiB, 64 MiB. */
        public static final Memory USUAL = new Memory(1 << 20, 1 << 24, 4 << 20, 64 << 20);

        public Memory {
            if (statement < 256 || dump < statement || session < 1024 || all < session) {
                throw new IllegalArgumentException(
                        "expected at least 256 bytes for a statement, as many for a dump, 1024 for a session, and as"
                                + " many for all, found " + statement + ", " + dump + ", " + session + ", " + all);
            }
        }
    }

    /** The same with another maximum number of compressed connections. */
    public ServerSettings withCompressed(int most) {
        return new ServerSettings(address, version, users, tls, limits, most);
    }

    /** No TLS, {@link Limits#USUAL}, with up to 128 compressed connections. */
    public static ServerSettings of(InetSocketAddress address, String version, UserStore users) {
        return new ServerSettings(address, version, users, Optional.empty(), Limits.USUAL, USUAL_COMPRESSED);
    }

    /** The same, with TLS offered. */
    public ServerSettings withTls(SslContext context) {
        return withTls(TlsSource.of(context));
    }

    /** The same, with TLS offered. */
    public ServerSettings withTls(TlsSource source) {
        return new ServerSettings(address, version, users, Optional.of(source), limits, compressed);
    }

    /** The same with other limits. */
    public ServerSettings with(Limits other) {
        return new ServerSettings(address, version, users, tls, other, compressed);
    }
}
