package io.tributary.dumper.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.Archive;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.ServedFiles;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.history.SchemaHistory;
import io.tributary.dumper.schema.SchemaServing;
import io.tributary.mysql.protocol.server.Doorstep;
import io.tributary.mysql.protocol.server.MysqlServer;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the binlog to readers over the MySQL protocol, on the event loops that it is given; questions about definitions of tables are answered
 * on a thread of their own.
 */
public final class BinlogServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogServer.class);
    private static final int USERS_MILLIS = 1000;

    private final BinlogFiles files;
    private final ReaderLanes lanes;
    private final LiveOrders orders;
    private final Runnable wake;
    private final SemiSyncGate gate;
    private final Runnable gateMoves;
    private final List<ScheduledFuture<?>> watches;
    private final Admission admission;
    private final MysqlServer server;
    private final StageRunner own;

    /** As below, for a node that tells nothing of itself and has no shard to ask. */
    public BinlogServer(
            ServeConfig config,
            DumpConfig dumps,
            Path folder,
            String version,
            BinlogFiles files,
            EventLoopGroup group,
            Clock clock,
            Metrics metrics) {
        this(
                config,
                dumps,
                folder,
                version,
                new ServedFiles(files, Archive.NONE),
                NodeTables.NONE,
                SchemaServing.NONE,
                Doorstep.open(group, config.listen().resolve(), "there is no server"),
                clock,
                metrics);
    }

    /**
     * Serves who comes.
     *
     * @param folder of the users file and of the certificate that the node makes for itself
     * @param version as the greeting and {@code @@version} name it, such as {@code 8.0.31-tributary}
     * @param served what readers may ask for
     * @param node what SHOW TRIBUTARY shows
     * @param schema who answers questions about schemas
     * @param door where readers come; given away, closed with this. Its event loops are used and not owned
     * @throws io.tributary.common.error.TributaryException when users or certificate cannot be used
     */
    public BinlogServer(
            ServeConfig config,
            DumpConfig dumps,
            Path folder,
            String version,
            ServedFiles served,
            NodeTables node,
            SchemaServing schema,
            Doorstep door,
            Clock clock,
            Metrics metrics) {
        EventLoopGroup group = door.group();
        this.files = served.here();
        this.lanes = new ReaderLanes(group);
        this.wake = lanes::wake;
        this.gate = new SemiSyncGate(dumps, files, clock, metrics, wake);
        this.gateMoves = gate::durableMoved;
        this.admission = new Admission(config, folder, clock);
        Readers readers = new Readers();
        LiveStatus status = new LiveStatus(version, served, readers, config, gate, clock);
        SchemaHistory history = new SchemaHistory(files, gate::committed);
        this.orders = new LiveOrders(files, gate, served.archive(), group::next, history, schema.mostBytes());
        Statements statements = new Statements(status, new Neighbours(orders, node, schema.source(history)), clock);
        DumpSource source = new DumpSource(served, gate, dumps, clock);
        SessionCommands commands = new SessionCommands(source, lanes, readers, statements, status, admission.filters());
        this.server = MysqlServer.start(door, admission.settings(version), commands);
        status.serve(server);
        this.own = new StageRunner(
                        (stage, cause) -> LOG.error("{} has failed; it answers no more", stage.name(), cause))
                .onOwnThread(history);
        own.start();
        files.subscribe(gateMoves); // first, so that who is woken sees what it opened
        files.subscribe(wake);
        this.watches = watches(dumps, group);
        watches.add(group.scheduleWithFixedDelay(
                () -> server.asLogin(() -> lookForUsers(readers)), USERS_MILLIS, USERS_MILLIS, TimeUnit.MILLISECONDS));
        metrics.register(Metric.SERVE_READERS, lanes::readers);
        metrics.register(Metric.SERVE_BYTES, lanes::bytes);
        metrics.register(Metric.SERVE_WAITING, lanes::waitingBytes);
        metrics.register(Metric.SERVE_LOGINS_REFUSED, server::refusedLogins);
        metrics.register(Metric.SERVE_MEMORY, server::heldBytes);
        admission.register(metrics);
    }

    /** Whoever may read other tables by now than when his dump began gets no more of it. */
    private void lookForUsers(Readers readers) {
        admission.look();
        readers.endOutdated(admission.filters());
    }

    private List<ScheduledFuture<?>> watches(DumpConfig dumps, EventLoopGroup group) {
        List<ScheduledFuture<?>> scheduled = new ArrayList<>();
        long readers = pauseMillis(dumps.writeTimeout());
        for (ReaderLane lane : lanes.lanes()) {
            scheduled.add(lane.loop().scheduleWithFixedDelay(lane::watch, readers, readers, TimeUnit.MILLISECONDS));
        }
        if (gate.holds()) {
            long pause = pauseMillis(dumps.semiSyncTimeout());
            scheduled.add(group.scheduleWithFixedDelay(gate::expire, pause, pause, TimeUnit.MILLISECONDS));
        }
        return scheduled;
    }

    /** How often to look whether a time is over: often enough to be late by a quarter of it at most. */
    private static long pauseMillis(Duration limit) {
        return Math.max(2, Math.min(1000, limit.toMillis() / 4));
    }

    /** The address that readers connect to, with its real port. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Who may log in, in a few words, with what is wrong with the files of users and certificates. */
    public String users() {
        return admission.facts();
    }

    /**
     * Looks for a place in the binlog; the answer is a table of one row, as SHOW TRIBUTARY POSITION shows it.
     *
     * @throws io.tributary.common.error.TributaryException READER_REFUSED when it cannot be there
     */
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return orders.position(goal).thenApply(answer -> {
            Answer.Rows rows = (Answer.Rows) answer;
            return new NodeTables.Table(rows.columns(), rows.rows());
        });
    }

    /** Ends all sessions and stops listening. Not on an event loop. */
    @Override
    public void close() {
        files.unsubscribe(gateMoves);
        files.unsubscribe(wake);
        watches.forEach(watch -> watch.cancel(false));
        server.close();
        own.close();
    }

    /** One lane for each event loop, for the readers whose connections are its own. */
    static final class ReaderLanes {
        private final Map<EventExecutor, ReaderLane> byLoop = new HashMap<>();
        private final List<ReaderLane> lanes;

        ReaderLanes(EventLoopGroup group) {
            for (EventExecutor loop : group) {
                byLoop.put(loop, new ReaderLane(loop));
            }
            lanes = List.copyOf(byLoop.values());
        }

        ReaderLane of(EventExecutor loop) {
            return byLoop.get(loop);
        }

        List<ReaderLane> lanes() {
            return lanes;
        }

        void wake() {
            for (ReaderLane lane : lanes) {
                lane.wake();
            }
        }

        long readers() {
            return lanes.stream().mapToLong(ReaderLane::readers).sum();
        }

        long bytes() {
            return lanes.stream().mapToLong(ReaderLane::bytes).sum();
        }

        long waitingBytes() {
            return lanes.stream().mapToLong(ReaderLane::waitingBytes).sum();
        }
    }
}
