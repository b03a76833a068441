package io.tributary.seed.session;

import io.tributary.mysql.protocol.client.Endpoint;
import java.time.Duration;

/**
 * A server to which sessions are opened.
 *
 * @param role what it is, for messages and error codes
 * @param name the shard's name; for the others host and port
 * @param endpoint address and account
 * @param timeout maximum time for the answer to one statement
 */
public record Peer(Role role, String name, Endpoint endpoint, Duration timeout) {
    /** What a server is. */
    public enum Role {
        SHARD("shard"),
        TARGET("target"),
        NODE("node");

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

    /** {@code shard s1}, {@code target 10.0.0.7:3306}. */
    @Override
    public String toString() {
        return role.word + " " + name;
    }
}
