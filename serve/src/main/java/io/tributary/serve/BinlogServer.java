package io.tributary.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.binlog.BinlogFiles;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.mysql.protocol.server.MysqlServer;
import io.tributary.mysql.protocol.server.ServerListener;
import io.tributary.serve.dump.DumpConfig;
import io.tributary.serve.dump.DumpSource;
import io.tributary.serve.dump.ReaderLane;
import io.tributary.serve.dump.SemiSyncGate;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.history.SchemaHistory;
import io.tributary.serve.select.SelectConfig;
import io.tributary.serve.select.SelectShards;
import io.tributary.serve.select.Selects;
import io.tributary.serve.statement.Answer;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import io.tributary.serve.statement.StatementServices;
import io.tributary.serve.statement.Statements;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of the binlog: it serves readers over the MySQL protocol on given event loops. Questions about table definitions are answered
 * on a separate thread.
 */
public final class BinlogServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogServer.class);
    private static final int USERS_MILLIS = 1000;

    private final BinlogFiles files;
    private final ReaderLanes lanes;
    private final AdminCommands admin;
    private final Runnable wake;
    private final SemiSyncGate gate;
    private final Runnable gateListener;
    private final List<ScheduledFuture<?>> watches;
    private final Authenticator authenticator;
    private final MysqlServer server;
    private final StageRunner historyRunner;

    /**
     * Starts to serve.
     *
     * @param listener accepts the connections; owned and closed by this server. Its event loops are used and not owned
     * @throws io.tributary.common.error.TributaryException when users or certificate cannot be used
     */
    public BinlogServer(
            ServeOptions options, ServedContent content, ServerListener listener, Clock clock, Metrics metrics) {
        EventLoopGroup group = listener.group();
        DumpConfig dumps = options.dumps();
        this.files = content.files().here();
        this.lanes = new ReaderLanes(group);
        this.wake = lanes::wake;
        this.gate = new SemiSyncGate(dumps, files, clock, metrics, wake);
        this.gateListener = gate::durableMoved;
        this.authenticator = new Authenticator(options.config(), options.folder(), clock);
        Readers readers = new Readers(authenticator.filters(), clock);
        DumpSource source = new DumpSource(content.files(), gate, dumps, clock);
        LiveStatus status = new LiveStatus(options, source, readers, longestRow(content.selects()));
        SchemaHistory history = new SchemaHistory(files, gate::committed);
        this.admin =
                new AdminCommands(source, group::next, history, content.schema().mostBytes());
        Statements statements = new Statements(
                status,
                new StatementServices(admin, content.node(), content.schema().source(history)),
                clock);
        Selects selects = new Selects(content.selects(), admin::newestCut, clock);
        SessionCommands commands =
                new SessionCommands(source, lanes, readers, statements, new SessionCommands.Services(status, selects));
        this.server = MysqlServer.start(listener, authenticator.settings(options.version()), commands);
        status.serve(server);
        this.historyRunner = new StageRunner((stage, cause) ->
                        LOG.error("stage failed: stage={} effect=\"answers no more\"", stage.name(), cause))
                .onOwnThread(history);
        historyRunner.start();
        files.subscribe(gateListener); // first, so that readers that are woken up see the new end
        files.subscribe(wake);
        this.watches = watches(dumps, group);
        watches.add(group.scheduleWithFixedDelay(
                () -> server.asLogin(() -> pollUsers(readers)), USERS_MILLIS, USERS_MILLIS, TimeUnit.MILLISECONDS));
        metrics.register(Metric.SERVE_READERS, lanes::readers);
        lanes.lanes().forEach(lane -> metrics.register(Metric.SERVE_SEND_SECONDS, lane.turns()));
        metrics.registerSeries(new ReaderSeries(readers, files, clock)::points);
        metrics.register(Metric.SERVE_BYTES, lanes::bytes);
        metrics.register(Metric.SERVE_WAITING, lanes::waitingBytes);
        metrics.register(Metric.SERVE_LOGINS_REFUSED, server::refusedLogins);
        metrics.register(Metric.SERVE_MEMORY, server::heldBytes);
        authenticator.register(metrics);
    }

    private static long longestRow(Optional<SelectShards> selects) {
        return selects.map(SelectShards::config)
                .filter(SelectConfig::enabled)
                .map(config -> config.row().bytes())
                .orElse(0L);
    }

    /** Ends the dumps of users whose readable tables have changed. */
    private void pollUsers(Readers readers) {
        authenticator.poll();
        readers.endOutdated();
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

    /** Interval for checks of a time limit: a limit is noticed late by at most a quarter of it. */
    private static long pauseMillis(Duration limit) {
        return Math.max(2, Math.min(1000, limit.toMillis() / 4));
    }

    /** The address for readers, with the actual port. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** A short text about users, including problems of the files of users and certificates. */
    public String users() {
        return authenticator.facts();
    }

    /**
     * Searches a position in the binlog. The answer is a table of one row, as in SHOW TRIBUTARY POSITION. To cancel it
     * ends the search.
     *
     * @throws io.tributary.common.error.TributaryException READER_REFUSED when there cannot be such a position
     */
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return table(admin.position(goal));
    }

    /**
     * Lists events of a binlog file. The answer has the columns of SHOW BINLOG EVENTS. To cancel it ends the listing.
     *
     * @throws io.tributary.serve.sql.SqlRefusal when there is no such position
     */
    public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        return table(admin.events(request));
    }

    /** A table that was cancelled, or is not waited for any more, ends the search. */
    static CompletableFuture<NodeTables.Table> table(CompletableFuture<Answer> search) {
        CompletableFuture<NodeTables.Table> table = search.thenApply(BinlogServer::table);
        var unused = table.whenComplete((done, failure) -> search.cancel(false));
        return table;
    }

    private static NodeTables.Table table(Answer answer) {
        Answer.Rows rows = (Answer.Rows) answer;
        return new NodeTables.Table(rows.columns(), rows.rows());
    }

    /** Ends all sessions and stops listening. Not on an event loop. */
    @Override
    public void close() {
        files.unsubscribe(gateListener);
        files.unsubscribe(wake);
        watches.forEach(watch -> watch.cancel(false));
        server.close();
        historyRunner.close();
    }

    /** The lanes of the readers: one for each event loop. */
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
