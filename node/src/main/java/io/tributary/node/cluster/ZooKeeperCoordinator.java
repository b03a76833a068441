package io.tributary.node.cluster;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Coordinator that keeps the shared state in ZooKeeper, through Apache Curator. */
public final class ZooKeeperCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCoordinator.class);
    private static final int RETRY_PAUSE_MILLIS = 50;

    private final String node;
    private final Duration lease;
    private final Quorum quorum;
    private final Clock clock;
    private final ZooKeeperLogin login;
    private final ZooKeeperTree tree;
    private final ZooKeeperView view;
    private final ZooKeeperElection election;
    private final ZooKeeperClaims claims;
    private final ZooKeeperIdentity identity;
    private final Optional<ProcessIdentity> process;
    private PersistentNode member;

    /**
     * Connects.
     *
     * @param self this node
     * @throws TributaryException CLUSTER_UNREACHABLE, CLUSTER_DENIED
     */
    public ZooKeeperCoordinator(CoordinationConfig config, NodeIdentity self, Quorum quorum, Clock clock) {
        this.process = self.process();
        this.node = self.node();
        this.lease = config.lease();
        this.quorum = quorum;
        this.clock = clock;
        String servers = config.zookeeper().servers().orElseThrow();
        String path = config.zookeeper().path().orElse("/tributary/" + self.cluster());
        int leaseMillis = Math.toIntExact(lease.toMillis());
        this.login = new ZooKeeperLogin(config.zookeeper().auth(), path.startsWith("/") ? path : "/" + path);
        CuratorFramework client = login.configure(CuratorFrameworkFactory.builder())
                .connectString(servers)
                .namespace(path.substring(path.startsWith("/") ? 1 : 0))
                .sessionTimeoutMs(leaseMillis)
                .connectionTimeoutMs(leaseMillis)
                .retryPolicy(new RetryNTimes(1, RETRY_PAUSE_MILLIS))
                .zkClientConfig(ClientSettings.of(config.zookeeper().tls(), System.getProperties())
                        .orElse(null)) // null = the client's default
                .build();
        this.tree = new ZooKeeperTree(client, servers + path);
        this.claims = new ZooKeeperClaims(tree);
        this.identity = new ZooKeeperIdentity(tree, self.cluster());
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
        boolean isConnected = tree.request(() ->
                tree.client().blockUntilConnected(Math.toIntExact(2 * lease.toMillis()) + 1000, TimeUnit.MILLISECONDS));
        if (!isConnected) {
            throw tree.unreachable(new IOException("no connection within " + 2 * lease.toMillis() + " ms"));
        }
        int given = tree.request(
                () -> tree.client().getZookeeperClient().getZooKeeper().getSessionTimeout());
        if (given > lease.toMillis()) {
            LOG.warn(
                    "session timeout is longer than the lease: zookeeper={} session.timeout.ms={} cluster.lease.ms={} effect=\"the next"
                            + " leader is elected later\" action=\"lower tickTime or minSessionTimeout of ZooKeeper\"",
                    tree.where(),
                    given,
                    lease.toMillis());
        } else if (given < lease.toMillis()) {
            throw new TributaryException(
                    ErrorCode.CLUSTER_MISMATCH,
                    "expected ZooKeeper at " + tree.where() + " to keep sessions for cluster.lease = "
                            + lease.toMillis() + " ms, found at most " + given
                            + " ms: raise its maxSessionTimeout or lower cluster.lease");
        }
    }

    private void connection(ConnectionState state) {
        LOG.info("connection to zookeeper changed: state={}", state);
        if (state == ConnectionState.RECONNECTED) {
            claims.claimAgain();
        }
    }

    @Override
    public UUID identify(Optional<UUID> kept, UUID fresh) {
        return identity.identify(kept, fresh);
    }

    @Override
    public Optional<UUID> identity() {
        return identity.known();
    }

    @Override
    public void join(ClusterMember self) {
        String path = ZooKeeperTree.MEMBERS + "/" + node;
        NodeRecord published = process.map(NodeRecord.of(self)::with).orElse(NodeRecord.of(self));
        leave();
        tree.request(() -> {
            login.restrictAccess(tree.client());
            return null;
        });
        tree.sync(); // fails for a login that may not write; Curator would retry to create the member forever
        new MemberName(tree, node, clock).acquire(process, published);
        member = new PersistentNode(tree.client(), CreateMode.EPHEMERAL, false, path, published.bytes());
        member.start();
        tree.request(() -> member.waitForInitialCreate(lease.toMillis(), TimeUnit.MILLISECONDS));
        ClockCheck.require(tree, path, clock);
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

    @Override
    public Members members() {
        return view;
    }

    @Override
    public Leadership leadership() {
        return view;
    }

    @Override
    public Optional<Leader> readLeader() {
        tree.sync();
        return tree.read(ZooKeeperTree.LEADER).flatMap(node -> node.fields().leader());
    }

    @Override
    public long newestEpoch() {
        tree.sync();
        return tree.read(ZooKeeperTree.EPOCH)
                .map(known -> known.fields().epoch())
                .orElse(0L);
    }

    @Override
    public Optional<LeaderTerm> campaign(LogPosition ours, String copy, Duration bound) {
        tree.sync();
        return election.campaign(new Candidate(node, ours, copy, quorum, bound));
    }

    @Override
    public void withdraw() {
        election.withdraw();
    }

    @Override
    public boolean hasElected() {
        return tree.readInAnySession(ZooKeeperTree.EPOCH)
                .filter(last -> last.fields().epoch() > 0)
                .isPresent();
    }

    @Override
    public void supersede(long epoch) {
        LOG.info("leader term superseded: epoch={}", epoch);
        ZooKeeperLeaderTerm.end(tree, epoch);
    }

    /** The current state of the cluster, read by this call; never a cached value. */
    public ClusterSnapshot snapshot() {
        tree.sync();
        List<ClusterMember> members = new ArrayList<>();
        tree.children(ZooKeeperTree.MEMBERS)
                .forEach((name, published) -> members.add(published.fields().member(name)));
        List<Claim> all = new ArrayList<>();
        tree.children(ZooKeeperTree.CLAIMS)
                .forEach((what, published) -> all.add(published.fields().claim(what)));
        List<String> candidates =
                List.copyOf(tree.children(ZooKeeperTree.CANDIDATES).keySet());
        Optional<Leader> leader = tree.read(ZooKeeperTree.LEADER)
                .flatMap(published -> published.fields().leader());
        long epoch = tree.read(ZooKeeperTree.EPOCH)
                .map(published -> published.fields().epoch())
                .orElse(0L);
        members.sort(Comparator.comparing(ClusterMember::id));
        Optional<Voters> voters = tree.read(ZooKeeperTree.VOTERS)
                .map(published -> published.fields().voters());
        return new ClusterSnapshot(epoch, leader, voters, members, all, candidates);
    }

    /** Removes a Dumper that is lost for good from the voters, as {@link DumperRemoval#forget}. */
    public Voters forget(String lost, boolean acceptsLoss) {
        return new DumperRemoval(tree, lost).forget(acceptsLoss);
    }

    /** Sets an epoch from which elections can continue, as {@link EpochRepair#repair}. */
    public long repairEpoch() {
        return new EpochRepair(tree).repair();
    }

    @Override
    public void claim(String what, long epoch) {
        claims.claim(new Claim(what, node, epoch));
    }

    @Override
    public void release(String what) {
        claims.release(what, node);
    }

    @Override
    public List<Claim> claims() {
        return view.claims();
    }

    @Override
    public Optional<Move> move() {
        return view.move();
    }

    @Override
    public void requestMove(Move move) {
        tree.write(
                ZooKeeperTree.MOVE,
                NodeRecord.none()
                        .with("epoch", move.epoch())
                        .with("to", move.to().orElse("")));
    }

    /** Makes ZooKeeper expire this session, as after a too long silence; for tests. */
    void expireSession() {
        tree.request(() -> {
            tree.client().getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
            return null;
        });
    }

    @Override
    public void close() {
        view.close();
        leave();
        tree.client().close();
    }

    private void leave() {
        try {
            if (member != null) {
                member.close();
                member = null;
            }
        } catch (IOException e) {
            LOG.debug("member not deleted: effect=\"it disappears with the session\"", e);
        }
    }
}
