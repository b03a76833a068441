package io.tributary.node.cluster;

import io.tributary.common.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of a node to ZooKeeper, by digest, and the ACLs of the nodes below the cluster's path. With a login only its user reads and writes
 * them. Nodes above the path stay readable, and others may create nodes beside it: a second cluster with another user can live there.
 */
final class ZooKeeperLogin implements ACLProvider {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLogin.class);
    private static final Id EVERYBODY = new Id("world", "anyone");

    private final Optional<Secret> auth;
    private final String path;

    // not List.of: ZooKeeper's client asks whether they contain null
    private final List<ACL> below;
    private final List<ACL> above;

    /**
     * @param auth {@code user:password}; empty = no login, and nodes that everybody may change
     * @param path of the cluster, absolute
     */
    ZooKeeperLogin(Optional<Secret> auth, String path) {
        this.auth = auth;
        this.path = path;
        // not the scheme "auth": that takes in whatever else the session has proved, such as a certificate that others
        // have too
        Id owner = auth.map(login -> new Id("digest", digest(login.reveal()))).orElse(EVERYBODY);
        this.below = Collections.singletonList(new ACL(ZooDefs.Perms.ALL, owner));
        this.above = auth.isEmpty()
                ? below
                : Arrays.asList(below.get(0), new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.CREATE, EVERYBODY));
    }

    private static String digest(String login) {
        try {
            return DigestAuthenticationProvider.generateDigest(login);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("expected SHA-1 in every JVM, found none", e);
        }
    }

    CuratorFrameworkFactory.Builder in(CuratorFrameworkFactory.Builder client) {
        auth.ifPresent(login -> client.authorization("digest", login.reveal().getBytes(StandardCharsets.UTF_8)));
        return client.aclProvider(this);
    }

    @Override
    public List<ACL> getDefaultAcl() {
        return below;
    }

    @Override
    public List<ACL> getAclForPath(String node) {
        boolean isAbove = path.startsWith(node.endsWith("/") ? node : node + "/");
        return isAbove ? above : below;
    }

    /**
     * Gives the nodes of a cluster that had no login until now to this login: all below the path, and the path itself.
     *
     * @param client works in the cluster's path
     * @throws KeeperException.NoAuthException when they belong to another user
     */
    void closeToOthers(CuratorFramework client) throws Exception {
        if (auth.isEmpty()) {
            return;
        }
        int closed = 0;
        Deque<String> open = new ArrayDeque<>(List.of("/"));
        while (!open.isEmpty()) {
            String node = open.pop();
            try {
                if (isForEverybody(client.getACL().storingStatIn(new Stat()).forPath(node))) {
                    client.setACL().withACL(below).forPath(node);
                    closed++;
                }
                for (String child : client.getChildren().forPath(node)) {
                    open.push(node.equals("/") ? "/" + child : node + "/" + child);
                }
            } catch (KeeperException.NoNodeException e) {
                LOG.debug("{} went while its ACL was set", node);
            }
        }
        if (closed > 0) {
            LOG.info(
                    "set the ACL of {} ZooKeeper nodes at {} that everybody could change: only the user of"
                            + " cluster.zookeeper.auth reads and writes them now",
                    closed,
                    path);
        }
    }

    private static boolean isForEverybody(List<ACL> acls) {
        return acls.stream().anyMatch(acl -> acl.getId().equals(EVERYBODY));
    }
}
