package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** ZooKeeper's nodes under the cluster's path, one question at a time; each blocks until the answer or CLUSTER_UNREACHABLE. */
final class ZooKeeperTree {
    static final String EPOCH = "/epoch";
    static final String LEADER = "/leader";
    static final String PULSE = "/pulse";
    static final String MOVE = "/move";
    static final String IDENTITY = "/identity";
    static final String MEMBERS = "/members";
    static final String CANDIDATES = "/candidates";
    static final String CLAIMS = "/claims";

    private final CuratorFramework client;
    private final String where;

    /** A node as it was read. */
    record Node(Fields fields, Stat stat) {}

    /** Something that ZooKeeper answers or refuses. */
    interface Question<T> {
        T ask() throws Exception;
    }

    /**
     * @param client works in the cluster's path
     * @param where servers and path, for messages
     */
    ZooKeeperTree(CuratorFramework client, String where) {
        this.client = client;
        this.where = where;
    }

    CuratorFramework client() {
        return client;
    }

    /** Servers and path. */
    String where() {
        return where;
    }

    <T> T ask(Question<T> question) {
        try {
            return question.ask();
        } catch (TributaryException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
        } catch (Exception e) {
            throw unreachable(e);
        }
    }

    TributaryException unreachable(Exception cause) {
        return new TributaryException(
                ErrorCode.CLUSTER_UNREACHABLE, "expected an answer of ZooKeeper at " + where + ", got " + cause, cause);
    }

    Optional<Node> read(String path) {
        return ask(() -> {
            try {
                Stat stat = new Stat();
                byte[] bytes = client.getData().storingStatIn(stat).forPath(path);
                return Optional.of(new Node(Fields.parse(bytes), stat));
            } catch (KeeperException.NoNodeException e) {
                return Optional.empty();
            }
        });
    }

    Map<String, Node> children(String path) {
        return ask(() -> {
            Map<String, Node> nodes = new LinkedHashMap<>();
            try {
                for (String name : client.getChildren().forPath(path)) {
                    read(path + "/" + name).ifPresent(node -> nodes.put(name, node));
                }
            } catch (KeeperException.NoNodeException e) {
                return nodes;
            }
            return nodes;
        });
    }

    /** Creates it unless it is there; what is there then. */
    Node createdOnce(String path, Fields fields) {
        create(path, fields, CreateMode.PERSISTENT);
        return read(path).orElseThrow(() -> unreachable(new IllegalStateException(path + " has vanished")));
    }

    /** Whether it was not there. */
    boolean create(String path, Fields fields, CreateMode mode) {
        return ask(() -> {
            try {
                client.create().creatingParentsIfNeeded().withMode(mode).forPath(path, fields.bytes());
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            }
        });
    }

    /** Writes it, there or not. */
    void write(String path, Fields fields) {
        ask(() -> client.create().orSetData().creatingParentsIfNeeded().forPath(path, fields.bytes()));
    }

    void delete(String path) {
        ask(() -> client.delete().quietly().forPath(path));
    }

    /** This session's number, as ephemeral nodes name their owner. */
    long session() {
        return ask(() -> client.getZookeeperClient().getZooKeeper().getSessionId());
    }

    /** Whether all that was read from now on is at least as new as what any other session had written before. */
    void catchUp() {
        write(PULSE, Fields.none()); // a write passes through ZooKeeper's leader, and this session reads no older state
        // after it
    }
}
