package io.tributary.node.cluster;

import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The keys of a node as part of a cluster.
 *
 * @param node its name; empty = derived from host and port of its admin endpoint
 * @param host at which the other nodes reach it
 * @param zookeeper ZooKeeper's servers; empty = this process is the whole cluster
 * @param auth {@code user:password} of a digest login to ZooKeeper; empty = no login
 * @param tls of the connections to ZooKeeper
 * @param path in ZooKeeper; empty = {@code /tributary/<cluster.id>}
 * @param lease how long a leader acts on one proof that no other node leads
 * @param timeout how long a leader stays leader while it cannot do its work
 * @param dumpers how many Dumpers the cluster has
 */
public record CoordinationConfig(
        @Key(
                value = "node.id",
                about = "Name of this node, unique in its cluster. Not set: derived from host and admin port.")
        Optional<String> node,

        @Key(
                value = "node.host",
                about = "Host at which the other nodes reach this one; not set: the host of each listen address.")
        Optional<String> host,

        @Key(
                value = "cluster.zookeeper",
                about = "ZooKeeper's servers, host:port,host:port,...; not set: no cluster, this node runs alone.")
        Optional<String> zookeeper,

        @Key(
                value = "cluster.zookeeper.auth",
                secret = true,
                about =
                        "Login to ZooKeeper, user:password (scheme digest), the same on all nodes of the cluster. With it only this user"
                                + " reads and writes the nodes under cluster.path. Not set: no login, every client that reaches ZooKeeper"
                                + " can change them.")
        Optional<Secret> auth,

        Tls tls,

        @Key(
                value = "cluster.path",
                about = "Path in ZooKeeper that the nodes of this cluster share; not set: /tributary/<cluster.id>.")
        Optional<String> path,

        @Key(
                value = "cluster.lease",
                byDefault = "3s",
                min = "200ms",
                max = "1h",
                about =
                        "How long the leading Dumper acts on one proof that no other node leads; also how long ZooKeeper keeps the session"
                                + " of a silent node.")
        Duration lease,

        @Key(
                value = "cluster.resign",
                byDefault = "5s",
                min = "200ms",
                max = "1h",
                about =
                        "After this long without messages from enough followers, without an answer of its disk or without a connection to"
                                + " any Task the leading Dumper resigns, if the other Dumpers are enough to continue; at least"
                                + " cluster.lease and dumper.keepalive. The time doubles after each resignation that has not helped.")
        Duration timeout,

        @Key(
                value = "cluster.dumpers",
                byDefault = "1",
                min = "1",
                max = "99",
                about =
                        "How many Dumpers the cluster has, running or not; the same value on all of them. It determines how many candidates"
                                + " an election needs.")
        int dumpers) {
    /**
     * TLS of the connections to ZooKeeper.
     *
     * @param ca of the servers' certificates; empty = no TLS
     * @param certificate of this node with its private key, in one file; empty = none is presented
     */
    public record Tls(
            @Key(
                    value = "cluster.zookeeper.tls.ca",
                    about =
                            "CA of the ZooKeeper servers' certificates, in PEM: the connections to ZooKeeper use TLS, and cluster.zookeeper"
                                    + " names the servers' secureClientPort. The certificates must bear the host names or addresses of"
                                    + " cluster.zookeeper. Not set: no TLS.")
            Optional<Path> ca,

            @Key(
                    value = "cluster.zookeeper.tls.certificate",
                    about =
                            "This node's certificate, the intermediate certificates, and its private key (PKCS #8), all in one PEM file, for"
                                    + " ZooKeeper servers that require one.")
            Optional<Path> certificate) {
        /** No TLS. */
        public static final Tls NONE = new Tls(Optional.empty(), Optional.empty());

        public Tls {
            if (certificate.isPresent() && ca.isEmpty()) {
                throw new IllegalArgumentException(
                        "cluster.zookeeper.tls.certificate: expected cluster.zookeeper.tls.ca beside it, found none");
            }
        }
    }

    private static final Pattern LOGIN = Pattern.compile("[^:]+:.+", Pattern.DOTALL);
    private static final Pattern SERVERS = Pattern.compile(server() + "(," + server() + ")*(/\\S*)?");

    public CoordinationConfig {
        auth.ifPresent(login -> {
            if (!LOGIN.matcher(login.reveal()).matches()) {
                throw new IllegalArgumentException(
                        "cluster.zookeeper.auth: expected user:password, both not empty, found another form");
            }
        });
        zookeeper.ifPresent(servers -> {
            if (!SERVERS.matcher(servers).matches()) {
                throw new IllegalArgumentException(
                        "cluster.zookeeper: expected host:port,host:port,..., found '" + servers + "'");
            }
        });
    }

    private static String server() {
        return "\\s*(\\[[0-9a-fA-F:.%]+]|[^\\s:,/\\[\\]]+)(:\\d{1,5})?\\s*";
    }
}
