package io.tributary.extractor;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.mysql.protocol.client.ClientTls;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configuration keys of one shard, {@code shard.<name>.*}.
 *
 * @param tls like MySQL's {@code --ssl-mode}
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
                about = "Further servers of the shard, host:port each: if the first one does not answer,"
                        + " accepts no writes or lacks transactions that were read, the next one is tried."
                        + " The accounts are the same on all of them.")
        List<HostPort> standby,

        @Key(
                value = "rounds",
                about = "Server to which heartbeat rounds are written, host:port, if the server that is"
                        + " read accepts no writes: the primary of a replica that is read. The rounds"
                        + " reach the replica by the shard's own replication. Not set: the server that is"
                        + " read. The account is the same on both.")
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
                about = "How connections use TLS: disabled, preferred, required, or verify (checks the"
                        + " server's certificate).")
        TlsMode tls,

        @Key(
                value = "tls.authorities",
                about = "PEM file of the certificate authorities that tls = verify trusts; not set: Java's.")
        Optional<Path> tlsAuthorities,

        @Key(
                value = "connect.timeout",
                byDefault = "10s",
                min = "100ms",
                about = "Maximum time from the first packet to the end of the login.")
        Duration connectTimeout,

        @Key(
                value = "start",
                byDefault = "earliest",
                about = "Where a new stream begins on this shard: earliest, latest, or the GTID set to"
                        + " leave out (for MariaDB: its position). A shard that is added to a running node"
                        + " is read from the time at which it is added.")
        String start,

        @Key(
                value = "skip.anonymous",
                live = true,
                about = "Binlog file of the shard, such as binlog.000007, whose transactions without a"
                        + " GTID are left out. A server sends no such transaction when it is read by GTID,"
                        + " so the shard is held at the first one until this key names its file. Remove"
                        + " the key after the shard was read past the end of the file.")
        Optional<String> skipAnonymous) {
    static final String EARLIEST = "earliest";
    public static final String LATEST = "latest";

    /** Checks {@code start}. */
    public ShardConfig {
        standby = List.copyOf(standby);
        if (rounds.isPresent() && start.equals(LATEST)) {
            throw new IllegalArgumentException(
                    "start: expected earliest or a set of GTIDs together with rounds, found"
                            + " latest: a replica that lags may still get branches of transactions that other shards have left out");
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

    /** An account on a server, with default values for the other keys. */
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

    /** Whether a new stream begins after given GTIDs. */
    public boolean beginsAtGtids() {
        return !start.equals(EARLIEST) && !start.equals(LATEST);
    }

    /** Whether the shard has standby servers that may be read instead. */
    public boolean isOneOfSeveral() {
        return !standby.isEmpty();
    }

    /** The addresses of the shard's servers, in the order in which they are tried. */
    List<HostPort> addresses() {
        return Stream.concat(Stream.of(new HostPort(host, port)), standby.stream())
                .toList();
    }

    /** A copy with this server. */
    public ShardConfig at(HostPort address) {
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

    /** The configuration of the server to which rounds are written; it has no standby servers if it is configured separately. */
    public ShardConfig forRounds() {
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

    /** Whether the keys that may change while a node runs are equal to those of the other configuration. */
    public boolean hasLiveKeysOf(ShardConfig other) {
        return user.equals(other.user)
                && Objects.equals(password, other.password)
                && skipAnonymous.equals(other.skipAnonymous);
    }

    /** A copy with those keys of the other configuration that may change while a node runs. */
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

    /** A copy in which transactions without a GTID in this file are left out. */
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

    /** The endpoint to connect to. */
    public Endpoint endpoint() {
        return new Endpoint(
                host,
                port,
                new Credentials(user, password.reveal()),
                new ClientTls(tls, tlsAuthorities),
                connectTimeout);
    }
}
