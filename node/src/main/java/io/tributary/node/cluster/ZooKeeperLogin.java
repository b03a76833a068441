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
 * A node's login to ZooKeeper, by digest, and the ACLs of the nodes below the cluster's path. With a login only its user reads and writes them.
 * Nodes above the path stay readable, and other users may create nodes beside it, for example for a second cluster with another user.
 */
final class ZooKeeperLogin implements ACLProvider {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLogin.class);
    private static final Id EVERYBODY = new Id("world", "anyone");

    private final Optional<Secret> auth;
    private final String path;

    // not List.of: ZooKeeper's client calls contains(null)
    private final List<ACL> below;
    private final List<ACL> above;

    /**
     * @param auth {@code user:password}; empty = no login, and nodes that every client may change
     * @param path of the cluster, absolute
     */
    ZooKeeperLogin(Optional<Secret> auth, String path) {
        this.auth = auth;
        this.path = path;
        // not the scheme "auth": it adds all identities of the session, such as a certificate that other clients
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

    CuratorFrameworkFactory.Builder configure(CuratorFrameworkFactory.Builder client) {
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
     * Restricts the nodes of a cluster that had no login until now to this login: the path itself and all nodes below it.
     *
     * @param client with the cluster's path as its namespace
     * @throws KeeperException.NoAuthException when they belong to another user
     */
    void restrictAccess(CuratorFramework client) throws Exception {
        if (auth.isEmpty()) {
            return;
        }
        int changed = 0;
        Deque<String> open = new ArrayDeque<>(List.of("/"));
        while (!open.isEmpty()) {
            String node = open.pop();
            try {
                if (isForEverybody(client.getACL().storingStatIn(new Stat()).forPath(node))) {
                    client.setACL().withACL(below).forPath(node);
                    changed++;
                }
                for (String child : client.getChildren().forPath(node)) {
                    open.push(node.equals("/") ? "/" + child : node + "/" + child);
                }
            } catch (KeeperException.NoNodeException e) {
                LOG.debug("acl not set: node={} reason=\"the node was deleted meanwhile\"", node);
            }
        }
        if (changed > 0) {
            LOG.info("access to zookeeper nodes restricted to cluster.zookeeper.auth: nodes={} path={}", changed, path);
        }
    }

    private static boolean isForEverybody(List<ACL> acls) {
        return acls.stream().anyMatch(acl -> acl.getId().equals(EVERYBODY));
    }
}
