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
     * @param logins connections that are not logged in yet; a further one is refused with error 1040
     * @param loginBytes largest packet before the login
     * @param outboundBytes a dump has no room while more than this waits to be sent, until it has fallen to half
     * @param sessions how many there may be, and for how long
     * @param memory what they may hold
     */
    public record Limits(
            boolean tlsRequired,
            Duration loginTimeout,
            Duration refusalDelay,
            int logins,
            int loginBytes,
            int outboundBytes,
            Sessions sessions,
            Memory memory) {
        /** TLS not required, 10 s to log in, 256 logins; 16 KiB before the login, 1 MiB out. */
        public static final Limits USUAL = new Limits(
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(3),
                256,
                1 << 14,
                1 << 20,
                Sessions.USUAL,
                Memory.USUAL);

        public Limits {
            if (loginTimeout.isNegative() || loginTimeout.isZero()) {
                throw new IllegalArgumentException("expected a positive login timeout, came " + loginTimeout);
            }
            if (logins < 1 || loginBytes < 256 || outboundBytes < 1024) {
                throw new IllegalArgumentException("expected bounds of at least 1, 256 and 1024, came " + logins + ", "
                        + loginBytes + ", " + outboundBytes);
            }
        }

        /** The same for logins of other number and time, and with or without a need for TLS. */
        public Limits withLogins(int most, Duration timeout, boolean needTls) {
            return new Limits(needTls, timeout, refusalDelay, most, loginBytes, outboundBytes, sessions, memory);
        }

        /** The same with other sessions. */
        public Limits with(Sessions other) {
            return new Limits(
                    tlsRequired, loginTimeout, refusalDelay, logins, loginBytes, outboundBytes, other, memory);
        }

        /** The same with other memory. */
        public Limits with(Memory other) {
            return new Limits(
                    tlsRequired, loginTimeout, refusalDelay, logins, loginBytes, outboundBytes, sessions, other);
        }

        /** The same with another delay of refusals. */
        public Limits withRefusalDelay(Duration longest) {
            return new Limits(tlsRequired, loginTimeout, longest, logins, loginBytes, outboundBytes, sessions, memory);
        }
    }

    /**
     * How many sessions there may be.
     *
     * @param most of users without {@link io.tributary.mysql.protocol.auth.Right#ADMIN}; a further one is refused with error 1040
     * @param reserved so many more, for users with it
     * @param ofUser of one user whose account says nothing else; a further one is refused with error 1226; 0: as many as there may be
     * @param idle a session that has sent no command for so long, and has no dump, ends with error 4031; the client may set
     *     another time for itself ({@code wait_timeout})
     */
    public record Sessions(int most, int reserved, int ofUser, Duration idle) {
        /** 1,024, 4 more for administrators, 256 of a user, 8 hours. */
        public static final Sessions USUAL = new Sessions(1024, 4, 256, Duration.ofHours(8));

        public Sessions {
            if (most < 1 || reserved < 0 || ofUser < 0 || idle.toSeconds() < 1) {
                throw new IllegalArgumentException("expected at least 1, 0, 0 and 1 s, came " + most + ", " + reserved
                        + ", " + ofUser + ", " + idle);
            }
        }
    }

    /**
     * Memory for what clients send, set and prepare, in bytes.
     *
     * @param statement largest command; a longer one fails with error 1153
     * @param dump largest request for a dump, of users who may dump: it has a GTID set
     * @param session what one session may hold; past it a statement fails with error 3170
     * @param all what all sessions may hold together, so too
     */
    public record Memory(int statement, int dump, long session, long all) {
        /** 1 MiB, 16 MiB, 4 MiB, 64 MiB. */
        public static final Memory USUAL = new Memory(1 << 20, 1 << 24, 4 << 20, 64 << 20);

        public Memory {
            if (statement < 256 || dump < statement || session < 1024 || all < session) {
                throw new IllegalArgumentException(
                        "expected at least 256 bytes of a statement, as many of a dump, 1024 of a session, and as"
                                + " many of all, came " + statement + ", " + dump + ", " + session + ", " + all);
            }
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
