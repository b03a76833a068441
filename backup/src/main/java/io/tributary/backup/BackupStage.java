package io.tributary.backup;

import io.tributary.backup.store.ObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.RateLimiter;
import io.tributary.common.pipeline.Stage;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage that copies finished files to the store, one after another, and adds each to the manifest once it is there. Then it removes the files that
 * need not be kept. A failure of the store is logged and retried after a growing pause; it never stops the pipeline. The manifest is its only state:
 * after a crash it continues with the first file that is not in the manifest. While it is another node's turn it only polls the files that the other
 * node has backed up. Give it a thread of its own, because a store may block.
 */
public final class BackupStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(BackupStage.class);
    private static final Set<ErrorCode> OF_THE_STORE = Set.of(
            ErrorCode.BACKUP_FAILED, ErrorCode.BACKUP_CORRUPT, ErrorCode.BACKUP_REFUSED, ErrorCode.BACKUP_CONFLICT);
    private static final Set<ErrorCode> OF_A_FILE_HERE = Set.of(ErrorCode.IO_FAILED, ErrorCode.BINLOG_CORRUPT);
    private static final int MOST_DOUBLINGS = 16;

    private final FinishedFiles source;
    private final ObjectStore store;
    private final Supplier<BackupConfig> newest;
    private final BackupKeys keys;
    private final String cluster;
    private final String folder;
    private final ManifestObject object;
    private final BackupState known;
    private final BackupTurn turn;
    private final MissingFileCheck missingFileCheck;
    private final Prune prune;
    private final RateLimiter throttle;
    private final Clock clock;
    private final FailPoint failPoint;
    private final Runnable listener = this::wake;
    private final Count files = new Count();
    private final Count pending = new Count();
    private final Count sent = new Count();
    private final Count failures = new Count();
    private volatile boolean woken = true;
    private volatile int backedUp; // number of the newest file that is backed up, with all before it
    private Manifest manifest;
    private FileCopy copy;
    private int failed; // times in a row
    private long retryNanos;
    private boolean isThisNode;
    private long pollNanos; // the time of the next poll while another node backs up

    /**
     * Reads the keys; the store is not called yet.
     *
     * @param turn decides whether to copy, or only to poll
     * @throws TributaryException CONFIG_INVALID if the keys cannot be read
     */
    public BackupStage(BackupSource source, BackupTarget target, BackupTurn turn, Metrics metrics, Clock clock) {
        this.source = source.files();
        this.store = target.store();
        this.newest = target.newest();
        BackupConfig config = newest.get();
        this.keys = BackupKeys.of(config);
        this.cluster = source.cluster();
        this.folder = Backup.folder(config.prefix(), cluster);
        this.object = new ManifestObject(store, folder, cluster);
        this.known = source.known();
        this.turn = turn;
        this.missingFileCheck = new MissingFileCheck(store, folder);
        this.prune = new Prune(store, folder);
        this.throttle = new RateLimiter(clock);
        this.clock = clock;
        this.failPoint = target.failPoint();
        this.pollNanos = clock.nanoTime();
        source.files().subscribe(listener);
        metrics.register(Metric.BACKUP_FILES, files::value);
        metrics.register(Metric.BACKUP_PENDING, pending::value);
        metrics.register(Metric.BACKUP_BYTES, sent::value);
        metrics.register(Metric.BACKUP_FAILURES, failures::value);
    }

    private void wake() {
        woken = true;
    }

    @Override
    public String name() {
        return "backup";
    }

    /** The number of the newest file that is backed up together with all files before it; 0 while that is not known. Any thread. */
    public int backedUp() {
        return backedUp;
    }

    @Override
    public int doWork() {
        if (failed > 0 && clock.nanoTime() - retryNanos < 0 || throttle.waitNanos() > 0) {
            return 0;
        }
        try {
            return work();
        } catch (TributaryException e) {
            if (OF_A_FILE_HERE.contains(e.code())) {
                scheduleRetry(new TributaryException(
                        ErrorCode.BACKUP_FAILED, "expected to read a file to back it up, found " + e.getMessage(), e));
            } else if (OF_THE_STORE.contains(e.code())) {
                scheduleRetry(e);
            } else {
                throw e;
            }
            return 0;
        }
    }

    private int work() {
        if (turn.isOurs() != isThisNode) {
            isThisNode = !isThisNode;
            LOG.info("backup turn changed: node={} target={}/{}", isThisNode ? "this" : "another", store, folder);
            manifest = null;
            pollNanos = clock.nanoTime();
            closeCopy(); // another node continues with the data that is there
        }
        if (!isThisNode) {
            pollManifest();
            return 0;
        }
        if (manifest == null) {
            readManifest();
        }
        if (copy == null && !findNext()) {
            return 0;
        }
        long before = copy.sent();
        Manifest.Entry entry = copy.step();
        long bytes = copy.sent() - before;
        throttle.rate(newest.get().throttle().bytes());
        throttle.sent(bytes);
        sent.add(bytes);
        if (entry != null) {
            copy.close();
            copy = null;
            failPoint.hit("backup.afterCopy.beforeManifest");
            addToManifest(entry);
        }
        return 1;
    }

    private void readManifest() {
        manifest = object.readOrNew(known);
        known.update(manifest);
        woken = true;
    }

    /** Reads which files another node has backed up since. */
    private void pollManifest() {
        if (clock.nanoTime() - pollNanos >= 0) {
            readManifest();
            missing();
            failed = 0;
            pollNanos = clock.nanoTime() + newest.get().poll().toNanos();
        }
    }

    /** Adds a file that is in the store to the manifest. */
    private void addToManifest(Manifest.Entry entry) {
        Manifest next = manifest.with(entry);
        object.replace(next);
        failPoint.hit("backup.afterManifest");
        manifest = next;
        known.update(manifest);
        missingFileCheck.add(entry.name());
        failed = 0;
        files.add(1);
        LOG.info("file backed up: file={} target={}/{}", entry.name(), store, folder);
    }

    /** Opens the oldest file that is not in the backup; false when all are. */
    private boolean findNext() {
        if (!woken) {
            return false;
        }
        woken = false;
        List<FinishedFile> missing = missing();
        if (missing.isEmpty()) {
            removeExpired();
            failed = 0;
            return false;
        }
        woken = true;
        if (!object.isThere()) {
            object.begin(manifest, known); // files without a manifest are a backup that has lost its manifest
        }
        missingFileCheck.requireNoGap(manifest, missing.get(0));
        copy = new FileCopy(store, folder, cluster, missing.get(0), keys);
        return true;
    }

    /** The files that are not backed up yet; they are kept on this node. */
    private List<FinishedFile> missing() {
        List<FinishedFile> all = source.list();
        List<FinishedFile> missing = missingFileCheck.missing(manifest, all);
        pending.set(missing.size());
        int last = all.isEmpty() ? 0 : Manifest.number(all.get(all.size() - 1).name());
        backedUp = missing.isEmpty() ? last : Manifest.number(missing.get(0).name()) - 1;
        source.keepFrom(backedUp + 1);
        return missing;
    }

    /** All files are backed up: removes files that need not be kept, and the remains of crashes. */
    private void removeExpired() {
        List<Manifest.Entry> expired = Retention.of(newest.get()).expired(manifest, clock.epochMicros());
        if (!expired.isEmpty()) {
            manifest = prune.run(object, manifest, expired);
            known.update(manifest);
            LOG.info(
                    "files removed from the backup: count={} last={}",
                    expired.size(),
                    expired.get(expired.size() - 1).name());
        }
        prune.deleteOlder(manifest);
        store.endUnfinished(folder);
    }

    private void scheduleRetry(TributaryException cause) {
        BackupConfig config = newest.get();
        long doubled = config.retry().toNanos() << Math.min(failed, MOST_DOUBLINGS);
        long most = Math.max(config.retry().toNanos(), config.retryMax().toNanos());
        long pause = doubled <= 0 ? most : Math.min(doubled, most);
        LOG.error("backup failed: error=\"{}\" retry.milliseconds={}", cause.line(), pause / 1_000_000);
        failed++;
        failures.add(1);
        retryNanos = clock.nanoTime() + pause;
        manifest = null;
        if (!object.isThere()) {
            backedUp = 0;
            source.keepFrom(0); // it is not known what is backed up: all files are kept
        }
        countPending();
        missingFileCheck.reset();
        closeCopy();
        turn.failed(failed);
    }

    /** Without the manifest, which may not be readable. The count stays as it is if the list of files is not readable either. */
    private void countPending() {
        try {
            pending.set(source.list().stream()
                    .filter(file -> Manifest.number(file.name()) > backedUp)
                    .count());
        } catch (TributaryException e) {
            LOG.debug("files not counted: error=\"{}\"", e.line());
        }
    }

    private void closeCopy() {
        FileCopy open = copy;
        copy = null;
        if (open != null) {
            try {
                open.close();
            } catch (TributaryException e) {
                LOG.warn("copy not closed: error=\"{}\"", e.line());
            }
        }
    }

    @Override
    public long restNanos() {
        return copy == null ? LONGEST_REST_NANOS : POLL_REST_NANOS;
    }

    @Override
    public void close() {
        source.unsubscribe(listener);
        closeCopy();
    }
}
