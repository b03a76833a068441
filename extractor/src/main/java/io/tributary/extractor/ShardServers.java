package io.tributary.extractor;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configuration keys of the servers of one shard.
 *
 * @param host of the first server
 * @param port of the first server
 * @param standby further servers
 * @param rounds the server to which heartbeat rounds are written; empty: the server that is read
 */
public record ShardServers(
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
        Optional<HostPort> rounds) {
    public ShardServers {
        standby = List.copyOf(standby);
    }

    /** One server without standby servers, to which rounds are written too. */
    static ShardServers of(HostPort address) {
        return new ShardServers(address.host(), address.port(), List.of(), Optional.empty());
    }

    /** A copy with another first server. */
    ShardServers at(HostPort address) {
        return new ShardServers(address.host(), address.port(), standby, rounds);
    }

    /** The addresses of the servers that may be read, in the order in which they are tried. */
    List<HostPort> addresses() {
        return Stream.concat(Stream.of(new HostPort(host, port)), standby.stream())
                .toList();
    }
}
