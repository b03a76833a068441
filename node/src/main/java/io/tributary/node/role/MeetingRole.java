package io.tributary.node.role;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.serve.NodeTables;
import io.tributary.node.admin.NodeStatus;
import io.tributary.node.admin.ShardRequests;
import io.tributary.node.cluster.Coordinator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of a cluster that begins: it asks for the place where the nodes meet until that answers, be it hours, and is what it is in the cluster
 * from then on. Machines that come up together after a power cut need nobody to start them in an order.
 */
final class MeetingRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(MeetingRole.class);

    private final Supplier<Coordinator> meet;
    private final Function<Coordinator, Role> make;
    private final StopSignal stop;
    private final NodeStatus before;
    private volatile String state = "asks for the other nodes of the cluster";
    private volatile Role met; // null before
    private volatile Config newer; // null where nothing was reloaded before that

    /**
     * @param meet connects; CLUSTER_UNREACHABLE is tried again
     * @param make what the node is then; given what was connected
     * @param before of a node that has not met the others
     */
    MeetingRole(Supplier<Coordinator> meet, Function<Coordinator, Role> make, StopSignal stop, NodeStatus before) {
        this.meet = meet;
        this.make = make;
        this.stop = stop;
        this.before = before;
    }

    @Override
    public void run() throws InterruptedException {
        Pauses pauses = new Pauses();
        while (met == null && !stop.isRequested()) {
            try {
                met = make.apply(connected());
            } catch (TributaryException e) {
                if (e.code() != ErrorCode.CLUSTER_UNREACHABLE) {
                    throw e;
                }
                if (!stop.isRequested()) {
                    state = e.line();
                    LOG.warn("{} | tries again", e.line());
                    stop.await(pauses.nextNanos(false));
                }
            }
        }
        if (met != null) {
            Config taken = newer;
            if (taken != null) {
                met.take(taken);
            }
            met.run();
        }
    }

    private Coordinator connected() {
        Thread own = Thread.currentThread();
        try {
            return stop.during(own::interrupt, meet::get);
        } finally {
            if (stop.isRequested()) {
                var unused = Thread.interrupted(); // it has done its work, whether in time or too late
            }
        }
    }

    @Override
    public void take(Config config) {
        newer = config;
        if (met != null) {
            met.take(config);
        }
    }

    @Override
    public NodeStatus status() {
        return met == null
                ? new NodeStatus(before.version(), before.role(), state, false, before.shards(), before.facts())
                : met.status();
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return met == null ? CompletableFuture.failedFuture(notYet()) : met.transactions();
    }

    @Override
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return met == null ? CompletableFuture.failedFuture(notYet()) : met.find(goal);
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        return met == null ? CompletableFuture.failedFuture(notYet()) : met.backup();
    }

    @Override
    public ShardRequests shardRequests() {
        return met == null ? ShardRequests.NO_SHARDS : met.shardRequests();
    }

    private IllegalStateException notYet() {
        return new IllegalStateException("this node has not met its cluster yet: " + state);
    }

    @Override
    public void close() {
        if (met != null) {
            met.close();
        }
    }

    /** What a node says of itself that knows of no other. */
    static NodeStatus before(String version, String role, String node) {
        return new NodeStatus(version, role, "", false, List.of(), Map.of("node", node));
    }
}
