package io.tributary.node.role;

import io.tributary.backup.ArchiveStage;
import io.tributary.backup.BackedUp;
import io.tributary.backup.Backup;
import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupKeys;
import io.tributary.backup.BackupStage;
import io.tributary.backup.BackupTurn;
import io.tributary.backup.FinishedFiles;
import io.tributary.backup.Manifest;
import io.tributary.backup.ObjectStore;
import io.tributary.backup.ObjectStores;
import io.tributary.backup.S3Config;
import io.tributary.common.config.Config;
import io.tributary.common.gtid.Sid;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.DateWatch;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.Archive;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.PurgeConfig;
import io.tributary.dumper.PurgeStage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's backup, where the configuration names one: an empty binlog folder is filled from it, finished files go to it, and
 * purged ones come back from it for readers.
 */
final class NodeBackup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBackup.class);
    private static final String FOLDER = "archive";
    private static final Duration PATIENCE =
            Duration.ofSeconds(1); // a failover waits that long for a store that is cut off

    private volatile BackupConfig config;
    private final BinlogConfig binlog;
    private volatile PurgeConfig purge;
    private final Metrics metrics;
    private final Clock clock;
    private final DateWatch date;
    private final Startup startup;
    private final Optional<ObjectStore> store;
    private final BackedUp known;
    private ArchiveStage stage; // null before it has begun
    private StageRunner reading;
    private long beganNanos;
    private Archive archive = Archive.NONE; // once it was asked for

    /**
     * @param metrics of the node
     * @param startup waits for a store that is silent
     */
    NodeBackup(Config config, Metrics metrics, Clock clock, Startup startup) {
        this.config = config.get(BackupConfig.class);
        this.binlog = config.get(BinlogConfig.class);
        this.purge = config.get(PurgeConfig.class);
        this.known = new BackedUp(binlog.directory());
        this.metrics = metrics;
        this.clock = clock;
        this.date = new DateWatch(clock);
        metrics.register(Metric.DATE_JUMPED, () -> date.hasJumped() ? 1 : 0);
        this.startup = startup;
        this.store = ObjectStores.of(this.config, config.get(S3Config.class));
    }

    /** What fills a binlog folder from the backup before the node begins. */
    BackupFill filling() {
        return new BackupFill(config, binlog, store, known, startup);
    }

    private Backup backup(ObjectStore place, String cluster) {
        return new Backup(place, config.prefix(), cluster, BackupKeys.of(config));
    }

    /**
     * Begins to look at what is in the backup, unless it has: a store takes a while to answer for the first time.
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
        reading = new StageRunner((failed, cause) -> LOG.error("no purged files come back from the backup", cause))
                .onOwnThread(stage);
        reading.start();
        beganNanos = clock.nanoTime();
    }

    /**
     * Where readers get purged files from: the same for all servers of readers that a node has one after another.
     *
     * @param uuid of the files' GTIDs
     */
    synchronized Archive archive(UUID uuid) {
        begin(uuid);
        if (store.isPresent() && archive == Archive.NONE) {
            long since = clock.nanoTime() - beganNanos;
            stage.awaitLook(PATIENCE.minusNanos(Math.min(since, PATIENCE.toNanos())));
            archive = new BackupArchive(stage, known, new Sid(uuid));
        }
        return archive;
    }

    /** What is in the backup, as it was last read or written; fails where there is none, or it was not read yet. */
    CompletableFuture<Manifest> manifest() {
        if (store.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("no backup is kept (backup.directory, backup.s3.bucket)"));
        }
        return known.manifest()
                .map(CompletableFuture::completedFuture)
                .orElseGet(() -> CompletableFuture.failedFuture(
                        new IllegalStateException("the manifest of the backup has not been read yet; see the log")));
    }

    /** Adds how far the backup is, where it is known. */
    void addTo(Map<String, String> facts) {
        known.manifest()
                .map(Manifest::files)
                .ifPresent(files -> facts.put(
                        "backed.up",
                        files.isEmpty()
                                ? "nothing yet"
                                : files.size() + " files, up to "
                                        + files.get(files.size() - 1).name()));
    }

    /** What copies finished files; none without a backup. */
    List<Stage> stages(FinishedFiles files, BackupTurn turn, UUID uuid, Metrics own) {
        return store
                .<Stage>map(place -> new BackupStage(
                        files, place, this::keeping, uuid.toString(), known, turn, own, clock, FailPoint.NONE))
                .stream()
                .toList();
    }

    /** What purges local files. */
    Stage purging(BinlogFiles files, Metrics own) {
        return new PurgeStage(files, this::purging, PurgeStage.Disk.of(binlog.directory()), own, clock);
    }

    /** The keys of the backup as they are now; nothing goes by age while the date is not to be relied on. */
    private BackupConfig keeping() {
        BackupConfig now = config;
        return date.hasJumped() ? now.withoutRetainAge() : now;
    }

    /** The keys of purging, likewise. */
    PurgeConfig purging() {
        PurgeConfig now = purge;
        return date.hasJumped() ? now.withoutAge() : now;
    }

    /** Goes on by other keys, of those that a running node takes. */
    void take(Config newer) {
        config = newer.get(BackupConfig.class);
        purge = newer.get(PurgeConfig.class);
    }

    @Override
    public synchronized void close() {
        if (reading != null) {
            reading.stop(); // what it asks the store ends with the store
        }
        store.ifPresent(ObjectStore::close);
        if (reading != null) {
            reading.close();
        }
    }
}
