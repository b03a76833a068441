package io.tributary.node.dumper;

import io.tributary.backup.BackupTurn;
import io.tributary.backup.Manifest;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.CountedVoters;
import io.tributary.binlog.replicate.LeadStage;
import io.tributary.binlog.replicate.LeaderLog;
import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.binlog.write.BinlogStart;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Lease;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.value.Chunk;
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.CutWatch;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Startup;
import io.tributary.node.status.CutStatus;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.FilesStatus;
import io.tributary.node.status.StatusPart;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import io.tributary.store.JournalMap;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State of a Dumper without a coordinator, from its start to its end: it holds the folder of the binlog files, its lock, its backup and the server
 * of readers, and accepts followers if {@code dumper.followers} is set. It outlives the pipelines that write.
 */
public final class StandaloneState implements DumperState, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneState.class);

    private final BinlogConfig config;
    private final boolean learnsVersion;
    private final ReplicateConfig replicate;
    private final LogIdentity identity;
    private final NodeBackup backup;
    private final Metrics metrics;
    private final Clock clock;
    private final BinlogDirectory directory;
    private final AtomicReference<Config> live;
    private final ReaderService readerService;
    private BinlogFiles files; // those of the first recovery, kept for the readers
    private String greeting; // the server version in the greeting to readers
    private volatile FollowerReplication replication; // null without followers
    private final BackupRunner backupRunner;
    private volatile Serving serving;
    private volatile FailureSink current = cause -> {};

    /** The files that are served now, for the status. */
    private record Serving(BinlogFiles files, CutWatch cuts) {}

    /**
     * Opens the folder and takes its lock.
     *
     * @param node tables about the node that readers may query
     * @param startup waits for the backup if the folder is empty
     * @throws io.tributary.common.error.TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE
     */
    public StandaloneState(Config config, NodeTables node, Metrics metrics, Clock clock, Startup startup) {
        this.config = config.get(BinlogConfig.class);
        this.learnsVersion = this.config.serverVersion().isEmpty();
        this.replicate = config.get(ReplicateConfig.class);
        this.identity = new LogIdentity(config.get(ClusterConfig.class).id(), this.config.name());
        this.metrics = metrics;
        this.clock = clock;
        this.backup = new NodeBackup(config, metrics, clock, startup);
        this.directory =
                BinlogDirectory.open(this.config, clock, backup.filling().retryUntilAvailable(backup.filling()::fill));
        this.backupRunner = new BackupRunner(backup, BackupTurn.ALWAYS, false, metrics, cause -> current.failed(cause));
        this.live = new AtomicReference<>(config);
        this.readerService = openReaderService(node);
    }

    private ReaderService openReaderService(NodeTables node) {
        try {
            return new ReaderService(live::get, node, backup, metrics, clock);
        } catch (TributaryException e) {
            directory.close();
            throw e;
        }
    }

    /** The journal's map at the last cut; valid after {@link #recover} and before anything is written after that cut. */
    public JournalMap journal() {
        return directory.journal();
    }

    /** The UUID of the GTIDs in the files. */
    public UUID uuid() {
        return directory.serverUuid();
    }

    /** Identity of this copy of the binlog; it differs on a machine where the binlog was restored. */
    public UUID copy() {
        return directory.copyId(clock);
    }

    /**
     * Truncates the files after the last durable cut, and serves readers up to there. No pipeline may be writing. Connected readers continue.
     *
     * @param version returns the server version if neither the configuration nor the files contain it; may return null if it is not known
     */
    public Recovered recover(Supplier<String> version) {
        BinlogConfig named =
                learnsVersion ? named(directory.newestVersion().or(() -> Optional.ofNullable(version.get()))) : config;
        boolean isNewTerm = replicate.topology().isCopied() && replication == null;
        Recovered found = isNewTerm
                ? Recovery.runForLeader(directory, named, last -> CutEpoch.of(CutEpoch.leader(last) + 1), clock)
                : Recovery.run(directory, named, clock);
        long epoch = CutEpoch.leader(found.cut().epoch());
        BinlogPosition end = found.files().writtenEnd();
        LOG.info(
                "binlog recovered: files={} directory={} end={}:{} transactions={}",
                found.files().written().size(),
                directory.path(),
                end.file(),
                end.offset(),
                end.gno());
        if (files == null) {
            files = found.files();
            greeting = named.version();
        } else {
            found = found.into(files);
        }
        backupRunner.keep(files);
        lead(epoch);
        readerService.open(files, false, greeting);
        return found;
    }

    /** Accepts followers, if it may have any. Each start of the node has its own epoch, which stays the same for all its pipelines. */
    private void lead(long epoch) {
        boolean isFirst = replication == null;
        if (!replicate.topology().isCopied() || !isFirst && !replication.hasFailed()) {
            return;
        }
        int needed = replicate.topology().quorum().followers();
        if (isFirst && needed > 0) {
            files.requireAcknowledgementOfAll();
        }
        long term = isFirst ? epoch : replication.epoch();
        close(replication);
        LeadStage.LeaderSettings settings = new LeadStage.LeaderSettings(
                term,
                FileOffset.of(files.writtenEnd()),
                needed,
                CountedVoters.all(),
                Lease.FOREVER,
                receivedNanos -> {});
        replication = new FollowerReplication(
                replicate,
                new LeaderTermLog(new LeaderLog(identity, files), settings),
                metrics.child(),
                clock,
                cause -> current.failed(cause));
    }

    private static void close(FollowerReplication replication) {
        if (replication != null) {
            replication.close();
        }
    }

    /** Opens the server of readers once enough followers have data. */
    @Override
    public void poll() {
        BinlogFiles now = files;
        if (!readerService.isOpen() && now != null) {
            try {
                readerService.open(now, false, greeting);
            } catch (TributaryException e) {
                current.failed(e);
            }
        }
    }

    private BinlogConfig named(Optional<String> version) {
        return version.map(config::withVersion).orElse(config);
    }

    /**
     * Creates the stages that write after the recovered end.
     *
     * @param version server version for new files if the configuration does not set it; empty: the version of the transactions
     */
    public WritePipeline write(Recovered recovered, Inlet<Chunk> chunks, Optional<String> version) {
        BinlogConfig named = learnsVersion ? named(version) : config;
        CutWatch cuts = new CutWatch(chunks, recovered.resume());
        WritePipeline pipeline = new WritePipeline(
                new BinlogStart(BinlogDisk.of(directory, named, clock), recovered, Lease.FOREVER, FailPoint.NONE),
                cuts,
                backup,
                metrics.child());
        serving = new Serving(files, cuts);
        return pipeline;
    }

    /** Sets the sink for failures outside of the pipeline that writes now. */
    public void onFailure(FailureSink failure) {
        current = failure;
    }

    /** Number of the newest cut that is durable; 0 before anything is served. */
    public long durableCut() {
        Serving now = serving;
        return now == null ? 0 : now.files.durableEnd().cut();
    }

    /** The newest durable cut. */
    @Override
    public long progress() {
        return durableCut();
    }

    @Override
    public Optional<ReaderService> readerService() {
        return Optional.of(readerService);
    }

    /** Whether readers may connect. */
    public boolean isServing() {
        return readerService.isOpen();
    }

    /** The address for readers. */
    InetSocketAddress address() {
        return readerService.address();
    }

    /** Finds a position in the binlog; fails while nothing is served. */
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return readerService.find(goal);
    }

    /** Lists events of the binlog; fails while nothing is served. */
    public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        return readerService.events(request);
    }

    /** As {@code Role.update}. */
    public void update(Config newer) {
        live.set(newer);
        backup.update(newer);
    }

    /** The files in the backup; fails if there is no backup. */
    public CompletableFuture<Manifest> backup() {
        return backup.manifest();
    }

    @Override
    public Optional<DumperStatus> status() {
        Serving now = serving;
        return now == null
                ? Optional.empty()
                : Optional.of(new DumperStatus.Standalone(
                        readerService.status(),
                        FilesStatus.of(now.files),
                        now.cuts.durable().map(CutStatus::of),
                        Optional.ofNullable(replication).map(FollowerReplication::status)));
    }

    /** The status of the Dumper and of its backup; empty before the files are recovered. */
    public List<StatusPart> parts() {
        return status().stream()
                .flatMap(own -> Stream.concat(Stream.<StatusPart>of(own), backup.status().stream()))
                .toList();
    }

    /** Disconnects all readers and releases the folder; no pipeline may be writing. */
    @Override
    public void close() {
        readerService.close();
        close(replication);
        backupRunner.close();
        backup.close();
        directory.close();
    }
}
