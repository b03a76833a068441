package io.tributary.extractor;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys of one shard, {@code shard.<name>.*}.
 *
 * @param tls as MySQL's {@code --ssl-mode}
 * @param tlsAuthorities certificates in PEM that mode verify trusts; empty: those of the Java platform
 * @param start {@code earliest}, {@code latest} or the GTIDs that a new stream leaves out
 */
public record ShardConfig(
        @Key(value = "host", required = true, about = "Name or address of the shard's server.")
        String host,

        @Key(value = "port", byDefault = "3306", min = "1", max = "65535", about = "Port of the shard's server.")
        int port,

        @Key(
                value = "standby",
                about =
                        "Further servers of the shard, host:port each: where the first one does not answer, takes no writes or lacks what was read, the"
                                + " next one is tried. The accounts are the same on all.")
        List<HostPort> standby,

        @Key(
                value = "rounds",
                about =
                        "Server that heartbeat rounds are written to, host:port, where the one that is read takes no writes: the primary of a replica that is"
                                + " read. They come back by the shard's own replication. None: the server that is read. The account is the same on both.")
        Optional<HostPort> rounds,

        @Key(
                value = "user",
                required = true,
                live = true,
                about = "Account with SELECT, REPLICATION SLAVE and REPLICATION CLIENT.")
        String user,

        @Key(value = "password", secret = true, live = true, about = "Password of the account.")
        Secret password,

        @Key(
                value = "tls",
                byDefault = "preferred",
                about = "How connections use TLS: disabled, preferred, required, or verify the server's certificate.")
        TlsMode tls,

        @Key(value = "tls.authorities", about = "PEM file of the authorities that tls = verify trusts; none: Java's.")
        Optional<Path> tlsAuthorities,

        @Key(
                value = "connect.timeout",
                byDefault = "10s",
                min = "100ms",
                about = "Longest time from the first packet to the end of the login.")
        Duration connectTimeout,

        @Key(
                value = "start",
                byDefault = "earliest",
                about =
                        "Where a new stream begins on this shard: earliest, latest, or the set of GTIDs to leave out (of MariaDB: its position). A shard that"
                                + " is added to a running node is read from that moment on.")
        String start,

        @Key(
                value = "skip.anonymous",
                live = true,
                about =
                        "Binlog file of the shard, such as binlog.000007, of which transactions without a GTID are left out. The server sends none of them by"
                                + " GTID, so the shard is held at the first one until its file is named here. Remove the key when the shard is read past that file.")
        Optional<String> skipAnonymous) {
    static final String EARLIEST = "earliest";
    static final String LATEST = "latest";

    /** Checks {@code start}. */
    public ShardConfig {
        standby = List.copyOf(standby);
        if (rounds.isPresent() && start.equals(LATEST)) {
            throw new IllegalArgumentException("start: expected earliest or a set of GTIDs beside rounds, found latest:"
                    + " a replica that lags may still get branches of transactions that other shards have left out");
        }
        if (!start.equals(EARLIEST) && !start.equals(LATEST)) {
            try {
                MariadbGtids.parse(start);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "start: expected earliest, latest or a set of GTIDs, found '" + start + "'", e);
            }
        }
    }

    /** An account on a server, the rest by default. */
    public static ShardConfig of(String host, int port, String user, String password) {
        return new ShardConfig(
                host,
                port,
                List.of(),
                Optional.empty(),
                user,
                new Secret(password),
                TlsMode.PREFERRED,
                Optional.empty(),
                Duration.ofSeconds(10),
                EARLIEST,
                Optional.empty());
    }

    /** Whether a new stream begins behind given GTIDs. */
    public boolean beginsAtGtids() {
        return !start.equals(EARLIEST) && !start.equals(LATEST);
    }

    /** Whether there are other servers that may be in charge of the shard. */
    boolean isOneOfSeveral() {
        return !standby.isEmpty();
    }

    /** Where the shard may be, in the order in which it is looked for. */
    List<HostPort> addresses() {
        return Stream.concat(Stream.of(new HostPort(host, port)), standby.stream())
                .toList();
    }

    /** The same with this server. */
    ShardConfig at(HostPort address) {
        return new ShardConfig(
                address.host(),
                address.port(),
                standby,
                rounds,
                user,
                password,
                tls,
                tlsAuthorities,
                connectTimeout,
                start,
                skipAnonymous);
    }

    /** The server that rounds are written to: never another one, where it is named. */
    ShardConfig forRounds() {
        return rounds.isEmpty()
                ? this
                : new ShardConfig(
                        rounds.get().host(),
                        rounds.get().port(),
                        List.of(),
                        Optional.empty(),
                        user,
                        password,
                        tls,
                        tlsAuthorities,
                        connectTimeout,
                        start,
                        Optional.empty());
    }

    /** Whether the keys that may change while a node runs are those of the other one. */
    public boolean hasLiveKeysOf(ShardConfig other) {
        return user.equals(other.user)
                && Objects.equals(password, other.password)
                && skipAnonymous.equals(other.skipAnonymous);
    }

    /** The same with those keys of the other one that may change while a node runs. */
    public ShardConfig withLiveKeysOf(ShardConfig other) {
        return new ShardConfig(
                host,
                port,
                standby,
                rounds,
                other.user,
                other.password,
                tls,
                tlsAuthorities,
                connectTimeout,
                start,
                other.skipAnonymous);
    }

    /** The same, but transactions without a GTID in this file are left out. */
    ShardConfig skippingAnonymous(String file) {
        return new ShardConfig(
                host,
                port,
                standby,
                rounds,
                user,
                password,
                tls,
                tlsAuthorities,
                connectTimeout,
                start,
                Optional.of(file));
    }

    /** Where to connect to. */
    public Endpoint endpoint() {
        return new Endpoint(host, port, user, password.reveal(), tls, tlsAuthorities, connectTimeout);
    }
}
