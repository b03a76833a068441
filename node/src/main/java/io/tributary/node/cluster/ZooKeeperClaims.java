package io.tributary.node.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** This node's claims: ephemeral nodes in ZooKeeper that end with its session and are created again in the next session. */
final class ZooKeeperClaims {
    private static final int TRIES = 3;

    private final ZooKeeperTree tree;
    private final Map<String, Claim> ours = new ConcurrentHashMap<>();

    ZooKeeperClaims(ZooKeeperTree tree) {
        this.tree = tree;
    }

    /** Replaces another node's claim to the same work. */
    void claim(Claim claim) {
        ours.put(claim.what(), claim);
        boolean isMade = false;
        for (int i = 0; i < TRIES && !isMade; i++) { // a node that was created again meanwhile is an older claim
            tree.delete(path(claim.what()));
            isMade = tree.create(path(claim.what()), fields(claim), true);
        }
    }

    /** @param node name of this node; a claim of another node stays */
    void release(String what, String node) {
        ours.remove(what);
        tree.read(path(what)) // also if an earlier attempt failed: the node stays as long as the session
                .filter(claimed ->
                        claimed.fields().text("node").filter(node::equals).isPresent())
                .ifPresent(claimed -> tree.delete(path(what)));
    }

    /** Creates claims again that were lost with a session. Runs on a thread that must not block. */
    void claimAgain() {
        ours.values().forEach(claim -> claimAgain(claim, TRIES));
    }

    private void claimAgain(Claim claim, int tries) {
        tree.request(() -> tree.client()
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .inBackground((client, event) -> {
                    boolean isMade = event.getResultCode() == KeeperException.Code.OK.intValue();
                    boolean isThere = event.getResultCode() == KeeperException.Code.NODEEXISTS.intValue();
                    if (isMade && !claim.equals(ours.get(claim.what()))) {
                        deleteReleased(client, claim);
                    } else if (isThere && tries > 0) {
                        replaceOld(client, claim, tries - 1);
                    }
                })
                .forPath(path(claim.what()), fields(claim).bytes()));
    }

    /** Replaces a node of an earlier session of this node, which would disappear with that session; a node of another node stays. */
    private void replaceOld(CuratorFramework client, Claim claim, int tries) throws Exception {
        long session = client.getZookeeperClient().getZooKeeper().getSessionId();
        client.getData()
                .inBackground((same, event) -> {
                    boolean isOld = event.getResultCode() == KeeperException.Code.OK.intValue()
                            && event.getStat().getEphemeralOwner() != session
                            && NodeRecord.parse(event.getData())
                                    .text("node")
                                    .filter(claim.node()::equals)
                                    .isPresent();
                    if (isOld) {
                        same.delete()
                                .quietly()
                                .inBackground((again, deleted) -> claimAgain(claim, tries))
                                .forPath(path(claim.what()));
                    }
                })
                .forPath(path(claim.what()));
    }

    /** Deletes a claim that was released while it was created again. */
    private static void deleteReleased(CuratorFramework client, Claim claim) throws Exception {
        client.delete().quietly().inBackground().forPath(path(claim.what()));
    }

    private static String path(String what) {
        return ZooKeeperTree.CLAIMS + "/" + what;
    }

    private static NodeRecord fields(Claim claim) {
        return NodeRecord.none().with("node", claim.node()).with("epoch", claim.epoch());
    }
}
