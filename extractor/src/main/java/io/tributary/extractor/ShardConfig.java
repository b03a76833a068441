package io.tributary.extractor;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.mysql.protocol.client.Endpoint;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The configuration keys of one shard, {@code shard.<name>.*}.
 *
 * @param start {@code earliest}, {@code latest} or the GTIDs that a new stream leaves out
 */
public record ShardConfig(
        ShardServers servers,

        ShardLogin login,

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
        if (servers.rounds().isPresent() && start.equals(LATEST)) {
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
                ShardServers.of(new HostPort(host, port)),
                ShardLogin.of(user, new Secret(password)),
                EARLIEST,
                Optional.empty());
    }

    /** Whether a new stream begins after given GTIDs. */
    public boolean beginsAtGtids() {
        return !start.equals(EARLIEST) && !start.equals(LATEST);
    }

    /** Name or address of the first server. */
    public String host() {
        return servers.host();
    }

    /** Port of the first server. */
    public int port() {
        return servers.port();
    }

    /** The account. */
    public String user() {
        return login.user();
    }

    /** Whether the shard has standby servers that may be read instead. */
    public boolean isOneOfSeveral() {
        return !servers.standby().isEmpty();
    }

    /** The addresses of the shard's servers, in the order in which they are tried. */
    List<HostPort> addresses() {
        return servers.addresses();
    }

    /** A copy with this server. */
    public ShardConfig at(HostPort address) {
        return new ShardConfig(servers.at(address), login, start, skipAnonymous);
    }

    /** The configuration of the server to which rounds are written; it has no standby servers if it is configured separately. */
    public ShardConfig forRounds() {
        return servers.rounds()
                .map(address -> new ShardConfig(ShardServers.of(address), login, start, Optional.empty()))
                .orElse(this);
    }

    /** Whether the keys that may change while a node runs are equal to those of the other configuration. */
    public boolean hasLiveKeysOf(ShardConfig other) {
        return login.user().equals(other.login.user())
                && Objects.equals(login.password(), other.login.password())
                && skipAnonymous.equals(other.skipAnonymous);
    }

    /** A copy with those keys of the other configuration that may change while a node runs. */
    public ShardConfig withLiveKeysOf(ShardConfig other) {
        return new ShardConfig(
                servers, login.withAccount(other.login.user(), other.login.password()), start, other.skipAnonymous);
    }

    /** A copy in which transactions without a GTID in this file are left out. */
    ShardConfig skippingAnonymous(String file) {
        return new ShardConfig(servers, login, start, Optional.of(file));
    }

    /** The endpoint to connect to. */
    public Endpoint endpoint() {
        return login.endpoint(servers.host(), servers.port());
    }
}
