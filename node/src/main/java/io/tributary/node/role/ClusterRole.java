package io.tributary.node.role;

import io.tributary.backup.Manifest;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.Config;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.admin.FactTables;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.admin.ShardRequests;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.EmbeddedCoordinator;
import io.tributary.node.cluster.NodeIdentity;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.dumper.BackupChoice;
import io.tributary.node.dumper.BackupFill;
import io.tributary.node.dumper.ClusterDumper;
import io.tributary.node.dumper.DumperServices;
import io.tributary.node.dumper.NodeBackup;
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.Failures;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.StopSignal;
import io.tributary.node.process.Supervisor;
import io.tributary.node.replica.VerifySchedule;
import io.tributary.node.status.ClusterStatus;
import io.tributary.node.status.LeaderStatus;
import io.tributary.node.status.MemberStatus;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** Role of a node in a cluster with a coordinator: a Task, a relay or a Dumper, or a Dumper and a Task in one process. */
final class ClusterRole implements Role {
    private static final String ASK_THE_TASK =
            "a Dumper does not order transactions: ask the Task; tributary cluster status shows which one runs the pipeline";

    private final Coordinator coordinator;
    private final ClusterMember self;
    private final StopSignal stop;
    private final String version;
    private final AtomicReference<Config> live;
    private final Optional<TaskRole> task;
    private final Optional<RelayRole> relay;
    private final Optional<NodeBackup> backup;
    private final Optional<ClusterDumper> dumper;
    private final Optional<VerifySchedule> comparisons;
    private final AtomicReference<TributaryException> taskFailure = new AtomicReference<>();

    private ClusterRole(NodeEnvironment environment, Coordinator coordinator, ClusterMember self) {
        this.coordinator = coordinator;
        this.self = self;
        this.stop = environment.stop();
        this.version = environment.version();
        this.live = new AtomicReference<>(environment.config().started());
        this.task = self.is(MemberRole.TASK)
                ? Optional.of(new TaskRole(environment, new StreamClaim(coordinator), coordinator.members()))
                : Optional.empty();
        this.relay = self.is(MemberRole.RELAY)
                ? Optional.of(new RelayRole(environment, Optional.of(new ShardClaim(coordinator))))
                : Optional.empty();
        this.backup = self.is(MemberRole.DUMPER)
                ? Optional.of(new NodeBackup(
                        environment.config().started(),
                        environment.metrics(),
                        environment.clock(),
                        environment.startup()))
                : Optional.empty();
        this.dumper = backup.map(place -> dumper(environment, place));
        this.comparisons = dumper.map(member -> new VerifySchedule(
                environment.config(), member::isServingAsLeader, environment.metrics(), environment.clock()));
    }

    private ClusterDumper dumper(NodeEnvironment environment, NodeBackup place) {
        Config config = environment.config().started();
        Clock clock = environment.clock();
        BinlogConfig binlog = config.get(BinlogConfig.class);
        LogIdentity identity = new LogIdentity(config.get(ClusterConfig.class).id(), binlog.name());
        BinlogDirectory directory = BinlogDirectory.open(
                binlog, clock, place.filling().retryUntilAvailable(folder -> fill(place.filling(), folder)));
        BackupChoice turn = new BackupChoice(coordinator, self.id(), clock);
        DumperServices services = new DumperServices(
                config,
                live::get,
                self.id(),
                identity,
                directory,
                place,
                turn,
                new FactTables(this, environment.metrics()),
                environment.metrics(),
                clock);
        return new ClusterDumper(services, coordinator, stop, () -> task.ifPresent(this::pollTask));
    }

    /**
     * Restores the folder only if no Dumper was elected before. After an election a Dumper that has lost its files must not count as one that still
     * has what it acknowledged: it copies the leader instead.
     */
    private void fill(BackupFill filling, Path folder) throws IOException {
        if (coordinator.hasElected()) {
            filling.requireNoneCutOff(folder);
        } else {
            filling.fill(folder, coordinator.identity());
        }
    }

    private void pollTask(TaskRole companion) {
        companion.poll();
        if (taskFailure.get() != null) {
            throw taskFailure.get();
        }
    }

    /**
     * Creates the role. Waits for ZooKeeper without a time limit, so that after a power failure the machines can start in any order.
     *
     * @throws TributaryException CLUSTER_UNREACHABLE when the node stops meanwhile, CLUSTER_MISMATCH, CONFIG_INVALID, and failures of the roles
     */
    static ClusterRole of(NodeEnvironment environment) {
        Config config = environment.config().started();
        NodeConfig node = config.get(NodeConfig.class);
        CoordinationConfig coordination = config.get(CoordinationConfig.class);
        requirePossible(node, coordination);
        ClusterMember self = ClusterJoin.of(config, environment.clock());
        Quorum quorum = node.keepsFiles() ? DumperServices.quorum(config) : new Quorum(1, Acknowledgement.LEADER);
        NodeIdentity identity = NodeIdentity.own(config.get(ClusterConfig.class).id(), self.id());
        Coordinator coordinator = coordination.zookeeper().servers().isPresent()
                ? environment
                        .startup()
                        .retryUntilAvailable(
                                () -> new ZooKeeperCoordinator(coordination, identity, quorum, environment.clock()),
                                Thread.currentThread()::interrupt,
                                failure -> failure.code() == ErrorCode.CLUSTER_UNREACHABLE,
                                new Backoff())
                : new EmbeddedCoordinator(environment.clock());
        ClusterRole role = null;
        try {
            var unused = coordinator.identity(); // fails for another cluster's identity before anything starts
            role = new ClusterRole(environment, coordinator, self);
            return role;
        } finally {
            if (role == null) {
                coordinator.close();
            }
        }
    }

    private static void requirePossible(NodeConfig node, CoordinationConfig coordination) {
        Set<MemberRole> roles = Set.copyOf(node.roles());
        if (roles.contains(MemberRole.RELAY) && roles.size() > 1) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "node.roles: expected relay as the only role of its process, found " + node.roles());
        }
        if (coordination.zookeeper().servers().isEmpty() && !roles.equals(Set.of(MemberRole.TASK, MemberRole.DUMPER))) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "node.roles: expected task,dumper in one process because cluster.zookeeper is not set, found "
                            + node.roles());
        }
    }

    @Override
    public void run() throws InterruptedException {
        ClusterJoin.join(coordinator, self, stop);
        if (dumper.isEmpty()) {
            runAlone();
            return;
        }
        comparisons.ifPresent(VerifySchedule::begin);
        AutoCloseable companion = startTask();
        try {
            dumper.get().run();
        } finally {
            close(companion);
        }
        if (taskFailure.get() != null) {
            throw taskFailure.get();
        }
    }

    private void runAlone() throws InterruptedException {
        if (task.isPresent()) {
            task.get().run();
        } else {
            relay.orElseThrow().run();
        }
    }

    private static void close(AutoCloseable task) {
        try {
            task.close();
        } catch (Exception e) {
            throw Failures.of("task", e);
        }
    }

    private AutoCloseable startTask() {
        return task.isPresent() ? task.get().start(cause -> taskFailure.compareAndSet(null, cause)) : () -> {};
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return task.map(TaskRole::transactions)
                .or(() -> relay.map(RelayRole::transactions))
                .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException(ASK_THE_TASK)));
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return task.map(TaskRole::schemaChanges)
                .or(() -> relay.map(RelayRole::schemaChanges))
                .orElseGet(() -> SchemaChangeAccess.none(ASK_THE_TASK));
    }

    @Override
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return dumper.flatMap(ClusterDumper::readerService)
                .map(readerService -> readerService.find(goal))
                .orElseGet(() -> Role.super.find(goal));
    }

    @Override
    public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        return dumper.flatMap(ClusterDumper::readerService)
                .map(readerService -> readerService.events(request))
                .orElseGet(() -> Role.super.events(request));
    }

    @Override
    public void update(Config newer) {
        live.set(newer);
        backup.ifPresent(place -> place.update(newer));
        comparisons.ifPresent(schedule -> schedule.update(newer));
        task.ifPresent(pipeline -> pipeline.update(newer));
        relay.ifPresent(pipeline -> pipeline.update(newer));
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        return backup.map(NodeBackup::manifest).orElseGet(Role.super::backup);
    }

    @Override
    public ShardRequests shardRequests() {
        return task.map(TaskRole::shardRequests).orElse(ShardRequests.NO_SHARDS);
    }

    @Override
    public NodeStatus status() {
        List<StatusPart> parts = new ArrayList<>();
        parts.add(new MemberStatus(self.id()));
        Optional<NodeStatus> pipeline = task.map(TaskRole::status).or(() -> relay.map(RelayRole::status));
        List<String> shards = pipeline.map(NodeStatus::shards).orElse(List.of());
        pipeline.ifPresent(status -> parts.addAll(status.parts()));
        dumper.ifPresent(member -> parts.addAll(member.parts()));
        backup.flatMap(NodeBackup::status).ifPresent(parts::add);
        comparisons.flatMap(VerifySchedule::status).ifPresent(parts::add);
        coordinator.leadership().leader().ifPresent(leader -> parts.add(new LeaderStatus(leader)));
        parts.add(cluster());
        Optional<Supervisor> files = dumper.map(ClusterDumper::supervisor);
        boolean isWell = files.map(Supervisor::isRunning)
                .or(() -> pipeline.map(NodeStatus::isHealthy))
                .orElseThrow();
        String state = files.map(Supervisor::state)
                .or(() -> pipeline.map(NodeStatus::state))
                .orElseThrow();
        return new NodeStatus(version, ClusterJoin.roles(self), state, isWell, shards, parts);
    }

    private ClusterStatus cluster() {
        return new ClusterStatus(
                coordinator.leadership().leader(),
                coordinator.members().list(),
                coordinator.claims().stream()
                        .map(claim -> new ClusterStatus.Work(claim.what(), claim.node(), claim.epoch()))
                        .toList());
    }

    @Override
    public void close() {
        comparisons.ifPresent(VerifySchedule::close);
        dumper.ifPresent(ClusterDumper::close);
        task.ifPresent(TaskRole::close);
        relay.ifPresent(RelayRole::close);
        backup.ifPresent(NodeBackup::close);
        coordinator.close();
    }
}
