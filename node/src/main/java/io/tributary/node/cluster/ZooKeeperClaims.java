package io.tributary.node.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** What this node has said that it does: nodes in ZooKeeper that go with its session, and are made anew with the next. */
final class ZooKeeperClaims {
    private static final int TRIES = 3;

    private final ZooKeeperTree tree;
    private final Map<String, Claim> ours = new ConcurrentHashMap<>();

    ZooKeeperClaims(ZooKeeperTree tree) {
        this.tree = tree;
    }

    /** Wins over what another node said. */
    void claim(Claim claim) {
        ours.put(claim.what(), claim);
        boolean isMade = false;
        for (int i = 0; i < TRIES && !isMade; i++) { // what was made anew meanwhile is an older one
            tree.delete(path(claim.what()));
            isMade = tree.create(path(claim.what()), fields(claim), true);
        }
    }

    /** @param node ours: what another node claims is left alone */
    void release(String what, String node) {
        ours.remove(what);
        tree.read(path(what)) // also where that failed before: it stands there as long as the session
                .filter(claimed ->
                        claimed.fields().text("node").filter(node::equals).isPresent())
                .ifPresent(claimed -> tree.delete(path(what)));
    }

    /** If the session was lost, so were the claims; on a thread that must not block. */
    void claimAnew() {
        ours.values().forEach(claim -> claimAnew(claim, TRIES));
    }

    private void claimAnew(Claim claim, int tries) {
        tree.ask(() -> tree.client()
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .inBackground((client, event) -> {
                    boolean isMade = event.getResultCode() == KeeperException.Code.OK.intValue();
                    boolean isThere = event.getResultCode() == KeeperException.Code.NODEEXISTS.intValue();
                    if (isMade && !claim.equals(ours.get(claim.what()))) {
                        takeBack(client, claim);
                    } else if (isThere && tries > 0) {
                        replaceOld(client, claim, tries - 1);
                    }
                })
                .forPath(path(claim.what()), fields(claim).bytes()));
    }

    /** What an earlier session of this node's has left goes when ZooKeeper ends that session, and would not come again; another node's stays. */
    private void replaceOld(CuratorFramework client, Claim claim, int tries) throws Exception {
        long session = client.getZookeeperClient().getZooKeeper().getSessionId();
        client.getData()
                .inBackground((same, event) -> {
                    boolean isOld = event.getResultCode() == KeeperException.Code.OK.intValue()
                            && event.getStat().getEphemeralOwner() != session
                            && Fields.parse(event.getData())
                                    .text("node")
                                    .filter(claim.node()::equals)
                                    .isPresent();
                    if (isOld) {
                        same.delete()
                                .quietly()
                                .inBackground((again, deleted) -> claimAnew(claim, tries))
                                .forPath(path(claim.what()));
                    }
                })
                .forPath(path(claim.what()));
    }

    /** It was released while it was made anew. */
    private static void takeBack(CuratorFramework client, Claim claim) throws Exception {
        client.delete().quietly().inBackground().forPath(path(claim.what()));
    }

    private static String path(String what) {
        return ZooKeeperTree.CLAIMS + "/" + what;
    }

    private static Fields fields(Claim claim) {
        return Fields.none().with("node", claim.node()).with("epoch", claim.epoch());
    }
}
