package io.tributary.system.attack;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** The attacks of a client that reaches ZooKeeper without the login of the cluster. */
public final class ZooKeeperAttacks {
    private static final String PATH = "/tributary/tributary";
    private static final int SESSION_MILLIS = 10_000;
    private static final int TIMES = 50;

    private final String servers;

    public ZooKeeperAttacks(String servers) {
        this.servers = servers;
    }

    /** An operation that needs a right which only the login has. */
    private interface Change {
        void make(ZooKeeper client) throws Exception;
    }

    public List<Attack> all() {
        return List.of(new Attack("changes in ZooKeeper", this::changes));
    }

    private void changes() throws Exception {
        byte[] epoch = "epoch=99".getBytes(StandardCharsets.UTF_8);
        List<ACL> open = new java.util.ArrayList<>(List.of(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone"))));
        ZooKeeper client = new ZooKeeper(servers, SESSION_MILLIS, event -> {});
        try {
            for (int i = 0; i < TIMES; i++) {
                refused(client, zooKeeper -> zooKeeper.setData(PATH + "/epoch", epoch, -1));
                refused(client, zooKeeper -> zooKeeper.delete(PATH + "/leader", -1));
                refused(client, zooKeeper -> zooKeeper.create(PATH + "/members/x", epoch, open, CreateMode.EPHEMERAL));
                refused(client, zooKeeper -> zooKeeper.setACL(PATH, open, -1));
                refused(client, zooKeeper -> zooKeeper.getData(PATH + "/epoch", false, null));
            }
        } finally {
            client.close();
        }
    }

    private static void refused(ZooKeeper client, Change change) throws Exception {
        try {
            change.make(client);
        } catch (KeeperException.NoAuthException refused) {
            return;
        }
        throw new IllegalStateException("expected ZooKeeper to refuse a change without a login");
    }
}
