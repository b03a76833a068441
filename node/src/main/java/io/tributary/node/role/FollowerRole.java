package io.tributary.node.role;

import io.tributary.backup.BackupTurn;
import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.DurableEnd;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.replicate.CopiedLog;
import io.tributary.dumper.replicate.FollowStage;
import io.tributary.dumper.replicate.LogIdentity;
import io.tributary.dumper.replicate.ReadFrom;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.dumper.serve.NodeTables;
import io.tributary.node.admin.FactTables;
import io.tributary.node.admin.NodeStatus;
import io.tributary.node.admin.SchemaChanges;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies the files of the Dumper that {@code dumper.leader} names, and serves them where readers may read anywhere. */
final class FollowerRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerRole.class);

    private final ReplicateConfig replicate;
    private final BinlogConfig binlog;
    private final LogIdentity identity;
    private final HostPort leader;
    private final String member;
    private final String version;
    private final Metrics metrics;
    private final Clock clock;
    private final Supervisor supervisor;
    private final NodeBackup backup;
    private final Upkeep upkeep;
    private final BinlogDirectory directory;
    private final AtomicReference<Config> live;
    private final Optional<ReaderDesk> desk; // where readers may come here
    private final CopiedLog log = new CopiedLog(Optional.empty(), 0);
    private volatile FailureSink current = cause -> {};

    FollowerRole(Config config, String version, Metrics metrics, Clock clock, Startup startup) {
        this.replicate = config.get(ReplicateConfig.class);
        this.binlog = config.get(BinlogConfig.class);
        this.identity = new LogIdentity(config.get(ClusterConfig.class).id(), binlog.name());
        this.leader = replicate.leader().orElseThrow();
        this.member = replicate.member().orElseGet(() -> hostAndFolder(binlog));
        this.version = version;
        this.metrics = metrics;
        this.clock = clock;
        this.supervisor = new Supervisor(startup.stop(), new Pauses(), this::reached);
        this.backup = new NodeBackup(config, metrics, clock, startup);
        this.directory = BinlogDirectory.open(binlog, clock, backup.filling().patiently(backup.filling()::fill));
        this.upkeep = new Upkeep(backup, BackupTurn.NEVER, true, metrics, cause -> current.failed(cause));
        this.live = new AtomicReference<>(config);
        this.desk = replicate.read() == ReadFrom.ANY ? Optional.of(desk()) : Optional.empty();
    }

    private ReaderDesk desk() {
        try {
            return new ReaderDesk(live::get, new FactTables(this, metrics), backup, true, metrics, clock);
        } catch (TributaryException e) {
            directory.close();
            throw e;
        }
    }

    private static String hostAndFolder(BinlogConfig binlog) {
        String folder = binlog.directory().toAbsolutePath().normalize().toString();
        try {
            return InetAddress.getLocalHost().getHostName() + ":" + folder;
        } catch (UnknownHostException e) {
            return folder;
        }
    }

    private long reached() {
        LogPosition position = log.position();
        return ((long) position.file() << 40) + position.offset();
    }

    @Override
    public void run() throws InterruptedException {
        supervisor.run(this::start, this::look);
    }

    private AutoCloseable start(FailureSink failure) {
        current = failure;
        LOG.info("copies {} from the leader at {} as {}", identity, leader, member);
        Metrics own = metrics.child();
        StageRunner runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
        runner.onOneThread(List.of(
                new FollowStage(replicate, identity, leader, member, log::epoch, directory, binlog, log, own, clock)));
        runner.start();
        return () -> {
            upkeep.close();
            runner.close();
            own.close();
        };
    }

    private void look() {
        log.files().filter(BinlogFiles::isReadable).ifPresent(upkeep::keep);
        openWhenReadable();
    }

    private void openWhenReadable() {
        if (desk.isEmpty() || desk.get().isOpen() || log.files().isEmpty()) {
            return;
        }
        try {
            String served = binlog.serverVersion().or(directory::newestVersion).orElse(binlog.version());
            desk.get().open(log.files().get(), served);
        } catch (TributaryException e) {
            current.failed(e);
        }
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return CompletableFuture.failedFuture(
                new IllegalStateException("a follower puts nothing into order: ask the leader's Task"));
    }

    @Override
    public SchemaChanges schemaChanges() {
        return SchemaChanges.none("a follower puts nothing into order: ask the leader's Task");
    }

    @Override
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return desk.map(open -> open.find(goal))
                .orElseGet(() -> CompletableFuture.failedFuture(
                        new IllegalStateException("readers read at the leader, " + leader + " (dumper.read)")));
    }

    @Override
    public void take(Config newer) {
        live.set(newer);
        backup.take(newer);
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        return backup.manifest();
    }

    @Override
    public NodeStatus status() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("leader", leader.toString());
        facts.put("epoch", Long.toString(log.epoch()));
        facts.put("copied", log.position().file() + ":" + log.position().offset());
        facts.put("behind.bytes", Long.toString(log.behindBytes()));
        Optional<BinlogFiles> readable = log.files().filter(BinlogFiles::isReadable);
        readable.ifPresent(files -> {
            DurableEnd end = files.durableEnd();
            facts.put("server.uuid", files.serverUuid().toString());
            facts.put("binlog", end.file() + ":" + end.offset());
            facts.put("gtid.executed", files.executed().line());
            facts.put("gtid.purged", files.purged().line());
        });
        desk.ifPresent(open -> open.addTo(facts));
        backup.addTo(facts);
        return new NodeStatus(version, "follower", supervisor.state(), supervisor.isRunning(), List.of(), facts);
    }

    @Override
    public void close() {
        desk.ifPresent(ReaderDesk::close);
        backup.close();
        directory.close();
    }
}
