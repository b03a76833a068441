package io.tributary.node.cluster;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Meets in ZooKeeper, through Apache Curator. */
public final class ZooKeeperCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordinator.class);
    private static final int RETRY_PAUSE_MILLIS = 50;

    private final String cluster;
    private final String node;
    private final Duration lease;
    private final Quorum quorum;
    private final Clock clock;
    private final ZooKeeperTree tree;
    private final ZooKeeperView view;
    private final ZooKeeperElection election;
    private final Map<String, Claim> claims = new ConcurrentHashMap<>(); // ours
    private PersistentNode member;

    /**
     * Connects.
     *
     * @param cluster the cluster's name
     * @param node this node's
     * @throws TributaryException CLUSTER_UNREACHABLE
     */
    public ZooKeeperCoordinator(CoordinationConfig config, String cluster, String node, Quorum quorum, Clock clock) {
        this.cluster = cluster;
        this.node = node;
        this.lease = config.lease();
        this.quorum = quorum;
        this.clock = clock;
        String servers = config.zookeeper().orElseThrow();
        String path = config.path().orElse("/tributary/" + cluster);
        int leaseMillis = Math.toIntExact(lease.toMillis());
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .namespace(path.substring(path.startsWith("/") ? 1 : 0))
                .sessionTimeoutMs(leaseMillis)
                .connectionTimeoutMs(leaseMillis)
                .retryPolicy(new RetryNTimes(1, RETRY_PAUSE_MILLIS))
                .build();
        this.tree = new ZooKeeperTree(client, servers + path);
        this.election = new ZooKeeperElection(tree, node, quorum, lease, clock);
        client.getConnectionStateListenable().addListener((same, state) -> connection(state));
        client.start();
        ZooKeeperView made = null;
        try {
            connect();
            made = new ZooKeeperView(tree);
        } finally {
            if (made == null) {
                client.close();
            }
        }
        this.view = made;
    }

    private void connect() {
        boolean isConnected = tree.ask(() ->
                tree.client().blockUntilConnected(Math.toIntExact(2 * lease.toMillis()) + 1000, TimeUnit.MILLISECONDS));
        if (!isConnected) {
            throw tree.unreachable(new IOException("no connection within " + 2 * lease.toMillis() + " ms"));
        }
        int given =
                tree.ask(() -> tree.client().getZookeeperClient().getZooKeeper().getSessionTimeout());
        if (given > lease.toMillis()) {
            LOG.warn(
                    "ZooKeeper keeps the session of a silent node for {} ms, not cluster.lease = {} ms: another leader is elected as late;"
                            + " lower its tickTime or minSessionTimeout",
                    given,
                    lease.toMillis());
        } else if (given < lease.toMillis()) {
            throw new TributaryException(
                    ErrorCode.CLUSTER_MISMATCH,
                    "expected ZooKeeper at " + tree.where() + " to keep sessions for cluster.lease = "
                            + lease.toMillis() + " ms, it allows " + given
                            + ": raise its maxSessionTimeout or lower cluster.lease");
        }
    }

    private void connection(ConnectionState state) {
        LOG.info("ZooKeeper: {}", state);
        if (state == ConnectionState.RECONNECTED) {
            claims.values().forEach(this::claimAnew);
        }
    }

    /** If the session was lost, so was the claim; on a thread that must not block. */
    private void claimAnew(Claim claim) {
        tree.ask(() -> tree.client()
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .inBackground()
                .forPath(path(claim.what()), fields(claim).bytes()));
    }

    private static String path(String what) {
        return ZooKeeperTree.CLAIMS + "/" + what;
    }

    private static Fields fields(Claim claim) {
        return Fields.none().with("node", claim.node()).with("epoch", claim.epoch());
    }

    @Override
    public UUID identify(Optional<UUID> kept, UUID fresh) {
        Fields ours = Fields.none().with("cluster", cluster).with("uuid", kept.orElse(fresh));
        Fields known = tree.createdOnce(ZooKeeperTree.IDENTITY, ours).fields();
        String name = known.text("cluster").orElse("");
        UUID uuid = known.text("uuid").map(UUID::fromString).orElseThrow();
        if (!name.equals(cluster)) {
            throw mismatch("cluster.id " + cluster, name, "give this cluster a cluster.path of its own");
        }
        if (kept.isPresent() && !kept.get().equals(uuid)) {
            throw mismatch(
                    "the cluster of this node's binlog, whose UUID is " + kept.get(),
                    "the one with UUID " + uuid,
                    "see which of the two this node belongs to; to have it begin anew, give it an empty binlog.directory");
        }
        return uuid;
    }

    private TributaryException mismatch(String expected, String found, String remedy) {
        return new TributaryException(
                ErrorCode.CLUSTER_MISMATCH,
                "expected to meet " + expected + " at " + tree.where() + ", found " + found + ": " + remedy);
    }

    @Override
    public Optional<UUID> identity() {
        Optional<Fields> known = tree.read(ZooKeeperTree.IDENTITY).map(ZooKeeperTree.Node::fields);
        known.flatMap(fields -> fields.text("cluster"))
                .filter(name -> !name.equals(cluster))
                .ifPresent(name -> {
                    throw mismatch("cluster.id " + cluster, name, "give this cluster a cluster.path of its own");
                });
        return known.flatMap(fields -> fields.text("uuid")).map(UUID::fromString);
    }

    @Override
    public void join(Member self) {
        String path = ZooKeeperTree.MEMBERS + "/" + node;
        requireNobodyAt(path);
        member = new PersistentNode(
                tree.client(),
                CreateMode.EPHEMERAL,
                false,
                path,
                Fields.of(self).bytes());
        member.start();
        tree.ask(() -> member.waitForInitialCreate(lease.toMillis(), TimeUnit.MILLISECONDS));
        List<String> dumpers = tree.children(ZooKeeperTree.MEMBERS).entrySet().stream()
                .filter(each -> each.getValue().fields().member(each.getKey()).is(MemberRole.DUMPER))
                .map(Map.Entry::getKey)
                .toList();
        if (self.is(MemberRole.DUMPER) && dumpers.size() > quorum.dumpers()) {
            throw new TributaryException(
                    ErrorCode.CLUSTER_MISMATCH,
                    "expected cluster.dumpers = " + quorum.dumpers() + " Dumpers at " + tree.where() + ", found "
                            + dumpers + ": set it to how many there are, on all of them");
        }
    }

    /** What a node of the same name that was killed has left goes with its session. */
    private void requireNobodyAt(String path) {
        long since = clock.nanoTime();
        Optional<ZooKeeperTree.Node> there = tree.read(path);
        int patienceMillis = 1000
                + tree.ask(
                        () -> tree.client().getZookeeperClient().getZooKeeper().getSessionTimeout());
        while (there.isPresent()) {
            if (clock.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(patienceMillis)) {
                throw new TributaryException(
                        ErrorCode.CLUSTER_MISMATCH,
                        "expected no other node with node.id = " + node + " at " + tree.where()
                                + ", found one that runs, with "
                                + there.get().fields().values());
            }
            tree.ask(() -> {
                TimeUnit.MILLISECONDS.sleep(RETRY_PAUSE_MILLIS);
                return null;
            });
            there = tree.read(path);
        }
    }

    @Override
    public Members members() {
        return view;
    }

    @Override
    public Leadership leadership() {
        return view;
    }

    @Override
    public Optional<Leader> askLeader() {
        tree.catchUp();
        return tree.read(ZooKeeperTree.LEADER).flatMap(node -> node.fields().leader());
    }

    @Override
    public Optional<Reign> stand(LogPosition ours, Duration bound) {
        tree.catchUp();
        return election.stand(ours, bound);
    }

    @Override
    public void withdraw() {
        election.withdraw();
    }

    @Override
    public void depose(long epoch) {
        tree.read(ZooKeeperTree.EPOCH)
                .filter(last -> last.fields().number("epoch") == epoch)
                .ifPresent(last -> {
                    LOG.info("the process that led under epoch {} is gone: others may be elected", epoch);
                    ZooKeeperReign.end(tree, epoch, last.stat().getVersion());
                });
    }

    @Override
    public void claim(String what, long epoch) {
        Claim claim = new Claim(what, node, epoch);
        claims.put(what, claim);
        tree.delete(path(what));
        tree.create(path(what), fields(claim), CreateMode.EPHEMERAL);
    }

    @Override
    public void release(String what) {
        if (claims.remove(what) != null) {
            tree.read(path(what))
                    .filter(claimed ->
                            claimed.fields().text("node").filter(node::equals).isPresent())
                    .ifPresent(claimed -> tree.delete(path(what)));
        }
    }

    @Override
    public List<Claim> claims() {
        return view.claims();
    }

    @Override
    public Optional<Move> move() {
        return move(tree);
    }

    static Optional<Move> move(ZooKeeperTree tree) {
        return tree.read(ZooKeeperTree.MOVE)
                .map(node ->
                        new Move(node.fields().number("epoch"), node.fields().text("to")));
    }

    @Override
    public void askMove(Move move) {
        tree.write(
                ZooKeeperTree.MOVE,
                Fields.none().with("epoch", move.epoch()).with("to", move.to().orElse("")));
    }

    /** Loses the session, as after a silence that was too long; for tests. */
    void expireSession() {
        tree.ask(() -> {
            tree.client().getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
            return null;
        });
    }

    @Override
    public void close() {
        view.close();
        try {
            if (member != null) {
                member.close();
            }
        } catch (IOException e) {
            LOG.debug("the session's end tells it too", e);
        }
        tree.client().close();
    }
}
