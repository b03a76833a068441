package io.tributary.node.cluster;

import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The keys of the connection to the cluster's ZooKeeper.
 *
 * @param servers ZooKeeper's servers; empty = this process is the whole cluster
 * @param auth {@code user:password} of a digest login; empty = no login
 * @param tls of the connections
 * @param path of the cluster's nodes; empty = {@code /tributary/<cluster.id>}
 */
public record ZooKeeperConfig(
        @Key(
                value = "cluster.zookeeper",
                about = "ZooKeeper's servers, host:port,host:port,...; not set: no cluster, this node runs alone.")
        Optional<String> servers,

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
        Optional<String> path) {
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

    public ZooKeeperConfig {
        auth.ifPresent(login -> {
            if (!LOGIN.matcher(login.reveal()).matches()) {
                throw new IllegalArgumentException(
                        "cluster.zookeeper.auth: expected user:password, both not empty, found another form");
            }
        });
        servers.ifPresent(list -> {
            if (!SERVERS.matcher(list).matches()) {
                throw new IllegalArgumentException(
                        "cluster.zookeeper: expected host:port,host:port,..., found '" + list + "'");
            }
        });
    }

    private static String server() {
        return "\\s*(\\[[0-9a-fA-F:.%]+]|[^\\s:,/\\[\\]]+)(:\\d{1,5})?\\s*";
    }
}
