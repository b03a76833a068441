package io.tributary.node.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;

/** What this node has said that it does: nodes in ZooKeeper that go with its session, and are made anew with the next. */
final class ZooKeeperClaims {
    private final ZooKeeperTree tree;
    private final Map<String, Claim> ours = new ConcurrentHashMap<>();

    ZooKeeperClaims(ZooKeeperTree tree) {
        this.tree = tree;
    }

    /** Wins over what another node said. */
    void claim(Claim claim) {
        ours.put(claim.what(), claim);
        tree.delete(path(claim.what()));
        tree.create(path(claim.what()), fields(claim), CreateMode.EPHEMERAL);
    }

    /** @param node ours: what another node claims is left alone */
    void release(String what, String node) {
        if (ours.remove(what) != null) {
            tree.read(path(what))
                    .filter(claimed ->
                            claimed.fields().text("node").filter(node::equals).isPresent())
                    .ifPresent(claimed -> tree.delete(path(what)));
        }
    }

    /** If the session was lost, so were the claims; on a thread that must not block. */
    void claimAnew() {
        for (Claim claim : ours.values()) {
            tree.ask(() -> tree.client()
                    .create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .inBackground()
                    .forPath(path(claim.what()), fields(claim).bytes()));
        }
    }

    private static String path(String what) {
        return ZooKeeperTree.CLAIMS + "/" + what;
    }

    private static Fields fields(Claim claim) {
        return Fields.none().with("node", claim.node()).with("epoch", claim.epoch());
    }
}
