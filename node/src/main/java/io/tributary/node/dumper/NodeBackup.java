package io.tributary.node.dumper;

import io.tributary.backup.ArchiveStage;
import io.tributary.backup.Backup;
import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupKeys;
import io.tributary.backup.BackupSource;
import io.tributary.backup.BackupStage;
import io.tributary.backup.BackupState;
import io.tributary.backup.BackupTarget;
import io.tributary.backup.BackupTurn;
import io.tributary.backup.FinishedFiles;
import io.tributary.backup.Manifest;
import io.tributary.backup.ObjectStores;
import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.S3Config;
import io.tributary.binlog.Archive;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.PurgeConfig;
import io.tributary.binlog.PurgeStage;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.common.gtid.Sid;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.DateWatch;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.node.process.Startup;
import io.tributary.node.status.BackupStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's backup, if one is configured: an empty binlog folder is restored from it, finished files are copied to it, and purged files are read
 * from it for readers.
 */
public final class NodeBackup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBackup.class);
    private static final String FOLDER = "archive";

    /** For how long a failover waits for a store that cannot be reached. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private volatile BackupConfig config;
    private final BinlogConfig binlog;
    private volatile PurgeConfig purge;
    private final Metrics metrics;
    private final Clock clock;
    private final DateWatch date;
    private final Startup startup;
    private final Optional<ObjectStore> store;
    private final BackupState known;
    private ArchiveStage stage; // null before begin()
    private StageRunner reading;
    private long beganNanos;
    private Archive archive = Archive.NONE; // set by the first call of archive()

    /**
     * @param metrics of the node
     * @param startup waits for a store that does not answer
     */
    public NodeBackup(Config config, Metrics metrics, Clock clock, Startup startup) {
        this.config = config.get(BackupConfig.class);
        this.binlog = config.get(BinlogConfig.class);
        this.purge = config.get(PurgeConfig.class);
        this.known = new BackupState(binlog.directory());
        this.metrics = metrics;
        this.clock = clock;
        this.date = new DateWatch(clock);
        metrics.register(Metric.DATE_JUMPED, () -> date.hasJumped() ? 1 : 0);
        this.startup = startup;
        this.store = ObjectStores.of(this.config, config.get(S3Config.class));
    }

    /** The restore of a binlog folder before the node starts. */
    public BackupFill filling() {
        return new BackupFill(config, binlog, store, known, startup);
    }

    private Backup backup(ObjectStore place, String cluster) {
        return new Backup(place, config.prefix(), cluster, BackupKeys.of(config));
    }

    /**
     * Starts to read the list of files in the backup, unless it has started: the first answer of a store takes some time.
     *
     * @param uuid of the files' GTIDs
     */
    synchronized void begin(UUID uuid) {
        if (store.isEmpty() || reading != null) {
            return;
        }
        stage = new ArchiveStage(
                backup(store.get(), uuid.toString()),
                known,
                binlog.directory().resolve(FOLDER),
                config.serveDisk().bytes(),
                metrics);
        reading = new StageRunner((failed, cause) ->
                        LOG.error("archive stage failed: effect=\"readers get no purged files\"", cause))
                .onOwnThread(stage);
        reading.start();
        beganNanos = clock.nanoTime();
    }

    /**
     * The archive from which readers get purged files. It is the same for all servers of readers that a node opens one after another.
     *
     * @param uuid of the files' GTIDs
     */
    synchronized Archive archive(UUID uuid) {
        begin(uuid);
        if (store.isPresent() && archive == Archive.NONE) {
            long since = clock.nanoTime() - beganNanos;
            stage.awaitLook(TIMEOUT.minusNanos(Math.min(since, TIMEOUT.toNanos())));
            archive = new BackupArchive(stage, known, new Sid(uuid));
        }
        return archive;
    }

    /** The manifest of the backup, as it was last read or written; fails if there is no backup, or if it was not read yet. */
    public CompletableFuture<Manifest> manifest() {
        if (store.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "expected a backup (backup.directory or backup.s3.bucket), found none configured"));
        }
        return known.manifest()
                .map(CompletableFuture::completedFuture)
                .orElseGet(() -> CompletableFuture.failedFuture(
                        new IllegalStateException("the manifest of the backup has not been read yet; see the log")));
    }

    /** The files in the backup, if they are known. */
    public Optional<BackupStatus> status() {
        return known.manifest().map(Manifest::files).map(BackupStatus::new);
    }

    /** The stages that copy finished files; none without a backup. */
    List<Stage> stages(FinishedFiles files, BackupTurn turn, UUID uuid, Metrics own) {
        return store
                .<Stage>map(place -> new BackupStage(
                        new BackupSource(files, uuid.toString(), known),
                        BackupTarget.of(place, this::retention),
                        turn,
                        own,
                        clock))
                .stream()
                .toList();
    }

    /** The stage that purges local files. */
    Stage purging(BinlogFiles files, Metrics own) {
        return new PurgeStage(files, this::purging, PurgeStage.Disk.of(binlog.directory()), own, clock);
    }

    /** The current keys of the backup, without the retention by age while the date is not reliable. */
    private BackupConfig retention() {
        BackupConfig now = config;
        return date.hasJumped() ? now.withoutRetainAge() : now;
    }

    /** The current keys of purging, without the age while the date is not reliable. */
    PurgeConfig purging() {
        PurgeConfig now = purge;
        return date.hasJumped() ? now.withoutAge() : now;
    }

    /** Applies changed live keys. */
    public void update(Config newer) {
        config = newer.get(BackupConfig.class);
        purge = newer.get(PurgeConfig.class);
    }

    @Override
    public synchronized void close() {
        if (reading != null) {
            reading.stop(); // its pending request ends when the store is closed
        }
        store.ifPresent(ObjectStore::close);
        if (reading != null) {
            reading.close();
        }
    }
}
