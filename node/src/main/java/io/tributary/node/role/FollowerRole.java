package io.tributary.node.role;

import io.tributary.backup.BackupTurn;
import io.tributary.backup.Manifest;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.replicate.CopiedLog;
import io.tributary.binlog.replicate.FollowStage;
import io.tributary.binlog.replicate.FollowedLeader;
import io.tributary.binlog.replicate.FollowerId;
import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.binlog.replicate.ReadFrom;
import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.node.admin.FactTables;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.dumper.BackupRunner;
import io.tributary.node.dumper.NodeBackup;
import io.tributary.node.dumper.ReaderService;
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.Supervisor;
import io.tributary.node.status.CopyStatus;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.FilesStatus;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Role of a follower without a coordinator: copies the files of the Dumper in {@code dumper.leader}, and serves them if {@code dumper.read=any}. */
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
    private final BackupRunner backupRunner;
    private final BinlogDirectory directory;
    private final AtomicReference<Config> live;
    private final Optional<ReaderService> readerService; // present if readers may connect to this node
    private final CopiedLog log = new CopiedLog(Optional.empty(), 0);
    private volatile FailureSink current = cause -> {};

    FollowerRole(NodeEnvironment environment) {
        Config config = environment.config().started();
        this.replicate = config.get(ReplicateConfig.class);
        this.binlog = config.get(BinlogConfig.class);
        this.identity = new LogIdentity(config.get(ClusterConfig.class).id(), binlog.name());
        this.leader = replicate.topology().leader().orElseThrow();
        this.member = replicate.topology().member().orElseGet(() -> hostAndFolder(binlog));
        this.version = environment.version();
        this.metrics = environment.metrics();
        this.clock = environment.clock();
        this.supervisor = new Supervisor(environment.stop(), new Backoff(), this::reached);
        this.backup = new NodeBackup(config, metrics, clock, environment.startup());
        this.directory =
                BinlogDirectory.open(binlog, clock, backup.filling().retryUntilAvailable(backup.filling()::fill));
        this.backupRunner = new BackupRunner(backup, BackupTurn.NEVER, true, metrics, cause -> current.failed(cause));
        this.live = new AtomicReference<>(config);
        this.readerService = replicate.read() == ReadFrom.ANY ? Optional.of(readerService()) : Optional.empty();
    }

    private ReaderService readerService() {
        try {
            return new ReaderService(live::get, new FactTables(this, metrics), backup, metrics, clock);
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
        supervisor.run(this::start, this::poll);
    }

    private AutoCloseable start(FailureSink failure) {
        current = failure;
        LOG.info("copying starts: log=\"{}\" leader={} member={}", identity, leader, member);
        Metrics own = metrics.child();
        StageRunner runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
        runner.onOneThread(List.of(new FollowStage(
                FollowedLeader.at(leader, log::epoch, replicate.transport()),
                new FollowerId(identity, member),
                BinlogDisk.of(directory, binlog, clock),
                log,
                own)));
        runner.start();
        return () -> {
            backupRunner.close();
            runner.close();
            own.close();
        };
    }

    private void poll() {
        log.files().filter(BinlogFiles::isReadable).ifPresent(backupRunner::keep);
        openWhenReadable();
    }

    private void openWhenReadable() {
        if (readerService.isEmpty()
                || readerService.get().isOpen()
                || log.files().isEmpty()) {
            return;
        }
        try {
            String served = binlog.serverVersion().or(directory::newestVersion).orElse(binlog.version());
            readerService.get().open(log.files().get(), true, served);
        } catch (TributaryException e) {
            current.failed(e);
        }
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return CompletableFuture.failedFuture(
                new IllegalStateException("a follower does not order transactions: ask the leader's Task"));
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return SchemaChangeAccess.none("a follower does not order transactions: ask the leader's Task");
    }

    @Override
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return readerService
                .map(open -> open.find(goal))
                .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException(
                        "expected dumper.read=any, found that readers are served only by the leader, " + leader)));
    }

    @Override
    public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        return readerService.map(open -> open.events(request)).orElseGet(() -> Role.super.events(request));
    }

    @Override
    public void update(Config newer) {
        live.set(newer);
        backup.update(newer);
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        return backup.manifest();
    }

    @Override
    public NodeStatus status() {
        List<StatusPart> parts = new ArrayList<>();
        parts.add(new DumperStatus.Copying(
                leader,
                log.epoch(),
                new CopyStatus(log.position(), log.behindBytes()),
                log.files().filter(BinlogFiles::isReadable).map(FilesStatus::of),
                readerService.map(ReaderService::status)));
        backup.status().ifPresent(parts::add);
        return new NodeStatus(version, "follower", supervisor.state(), supervisor.isRunning(), List.of(), parts);
    }

    @Override
    public void close() {
        readerService.ifPresent(ReaderService::close);
        backup.close();
        directory.close();
    }
}
