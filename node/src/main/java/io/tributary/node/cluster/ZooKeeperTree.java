package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** Access to ZooKeeper's nodes under the cluster's path, one request at a time. */
final class ZooKeeperTree implements SharedTree {
    private static final int MOST_SESSIONS = 5;

    private final CuratorFramework client;
    private final String where;

    /** A request that ZooKeeper answers or refuses. */
    interface Request<T> {
        T send() throws Exception;
    }

    /**
     * @param client with the cluster's path as its namespace
     * @param where servers and path, for messages
     */
    ZooKeeperTree(CuratorFramework client, String where) {
        this.client = client;
        this.where = where;
    }

    CuratorFramework client() {
        return client;
    }

    @Override
    public String where() {
        return where;
    }

    <T> T request(Request<T> request) {
        try {
            return request.send();
        } catch (TributaryException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
        } catch (KeeperException.NoAuthException | KeeperException.AuthFailedException e) {
            throw new TributaryException(
                    ErrorCode.CLUSTER_DENIED,
                    "expected the right to read and write "
                            + (e.getPath() == null ? "the cluster's nodes" : e.getPath()) + " in ZooKeeper at " + where
                            + " with the login of cluster.zookeeper.auth, got " + e,
                    e);
        } catch (Exception e) {
            throw unreachable(e);
        }
    }

    TributaryException unreachable(Exception cause) {
        return new TributaryException(
                ErrorCode.CLUSTER_UNREACHABLE, "expected an answer of ZooKeeper at " + where + ", got " + cause, cause);
    }

    @Override
    public Optional<Node> read(String path) {
        return request(() -> {
            try {
                Stat stat = new Stat();
                byte[] bytes = client.getData().storingStatIn(stat).forPath(path);
                return Optional.of(new Node(
                        NodeRecord.parse(bytes), stat.getVersion(), stat.getEphemeralOwner(), stat.getCzxid()));
            } catch (KeeperException.NoNodeException e) {
                return Optional.empty();
            }
        });
    }

    /** Like {@link #read}, for the first requests of a process: on a busy machine its session may end meanwhile, and the next session will do. */
    Optional<Node> readInAnySession(String path) {
        for (int session = 1; ; session++) {
            try {
                return read(path);
            } catch (TributaryException e) {
                if (session == MOST_SESSIONS || !(e.getCause() instanceof KeeperException.SessionExpiredException)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public Map<String, Node> children(String path) {
        return request(() -> {
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

    @Override
    public Node createIfAbsent(String path, NodeRecord fields) {
        create(path, fields, false);
        return read(path).orElseThrow(() -> unreachable(new IllegalStateException(path + " has vanished")));
    }

    @Override
    public boolean create(String path, NodeRecord fields, boolean isEphemeral) {
        return request(() -> {
            try {
                client.create()
                        .creatingParentsIfNeeded()
                        .withMode(isEphemeral ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT)
                        .forPath(path, fields.bytes());
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return false;
            }
        });
    }

    @Override
    public void write(String path, NodeRecord fields) {
        request(() -> client.create().orSetData().creatingParentsIfNeeded().forPath(path, fields.bytes()));
    }

    @Override
    public void delete(String path) {
        request(() -> client.delete().quietly().forPath(path));
    }

    @Override
    public long session() {
        return request(() -> client.getZookeeperClient().getZooKeeper().getSessionId());
    }

    @Override
    public void sync() {
        // a write passes through ZooKeeper's leader, and this session reads no older state after it
        write(PULSE, NodeRecord.none());
    }

    @Override
    public boolean change(List<Change> changes) {
        return request(() -> {
            try {
                client.transaction().forOperations(operations(changes));
                return true;
            } catch (KeeperException.BadVersionException
                    | KeeperException.NodeExistsException
                    | KeeperException.NoNodeException e) {
                return false;
            }
        });
    }

    @Override
    public void changeAsync(List<Change> changes, Consumer<Answer> callback) {
        request(() -> client.transaction()
                .inBackground((same, event) -> callback.accept(answer(KeeperException.Code.get(event.getResultCode()))))
                .forOperations(operations(changes)));
    }

    private static Answer answer(KeeperException.Code code) {
        return switch (code) {
            case OK -> Answer.DONE;
            case BADVERSION, NONODE, NODEEXISTS -> Answer.REFUSED;
            default -> Answer.UNKNOWN;
        };
    }

    private List<CuratorOp> operations(List<Change> changes) throws Exception {
        List<CuratorOp> operations = new ArrayList<>();
        for (Change change : changes) {
            operations.add(operation(change));
        }
        return operations;
    }

    private CuratorOp operation(Change change) throws Exception {
        if (change instanceof Change.Exists existing) {
            return client.transactionOp().check().forPath(existing.path());
        } else if (change instanceof Change.HasVersion same) {
            return client.transactionOp().check().withVersion(same.version()).forPath(same.path());
        } else if (change instanceof Change.Write write) {
            return client.transactionOp()
                    .setData()
                    .withVersion(write.version())
                    .forPath(write.path(), write.fields().bytes());
        } else if (change instanceof Change.Create create) {
            return client.transactionOp()
                    .create()
                    .withMode(create.isEphemeral() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT)
                    .forPath(create.path(), create.fields().bytes());
        }
        Change.Delete delete = (Change.Delete) change;
        return client.transactionOp().delete().withVersion(delete.version()).forPath(delete.path());
    }
}
