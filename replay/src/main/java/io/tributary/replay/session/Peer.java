package io.tributary.replay.session;

import io.tributary.mysql.protocol.client.Endpoint;
import java.time.Duration;

/**
 * A server to which sessions are opened.
 *
 * @param role what it is, for messages and error codes
 * @param name the shard's name; for the others host and port
 * @param endpoint address and account
 * @param timeout maximum time for the answer to one statement
 * @param identity of the server that must answer at the endpoint, see {@link SqlSession#identity}; empty: any
 */
public record Peer(Role role, String name, Endpoint endpoint, Duration timeout, String identity) {
    /** Any server that answers at the endpoint. */
    public Peer(Role role, String name, Endpoint endpoint, Duration timeout) {
        this(role, name, endpoint, timeout, "");
    }

    /** What a server is. */
    public enum Role {
        SHARD("shard"),
        TARGET("target"),
        NODE("node"),
        SNAPSHOT("snapshot server");

        private final String word;

        Role(String word) {
            this.word = word;
        }
    }

    /** A target or replica. */
    public static Peer target(Endpoint endpoint, Duration timeout) {
        return new Peer(Role.TARGET, endpoint.host() + ":" + endpoint.port(), endpoint, timeout);
    }

    /** The MySQL port of a node. */
    public static Peer node(Endpoint endpoint, Duration timeout) {
        return new Peer(Role.NODE, endpoint.host() + ":" + endpoint.port(), endpoint, timeout);
    }

    /** A server whose rows are sent before the stream. */
    public static Peer snapshot(Endpoint endpoint, Duration timeout) {
        return new Peer(Role.SNAPSHOT, endpoint.host() + ":" + endpoint.port(), endpoint, timeout);
    }

    /** The same at another address. */
    public Peer at(Endpoint other) {
        return new Peer(role, name, other, timeout, identity);
    }

    /** The same, if this server answers. */
    public Peer only(String server) {
        return new Peer(role, name, endpoint, timeout, server);
    }

    /** {@code shard s1}, {@code target 10.0.0.7:3306}. */
    @Override
    public String toString() {
        return role.word + " " + name;
    }
}
