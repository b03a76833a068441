package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Stage;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies finished files to the store, one after another, and names each in the manifest once it is there; then takes out those that
 * need not stay. A failure of the store is logged and tried again after a growing pause; it never stops the pipeline. It has no
 * state but the manifest: after a crash it goes on with the first file that is not named there. While it is another node's turn it only
 * looks now and then at what that one has brought there. Give it a thread of its own, for a store may block.
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
    private final BackedUp known;
    private final BackupTurn turn;
    private final Inventory inventory;
    private final Prune prune;
    private final Throttle throttle;
    private final Clock clock;
    private final FailPoint failPoint;
    private final Runnable listener = this::wake;
    private final Count files = new Count();
    private final Count pending = new Count();
    private final Count sent = new Count();
    private final Count failures = new Count();
    private volatile boolean woken = true;
    private volatile int backedUp; // number of the newest file that is, with all before it
    private Manifest manifest;
    private FileCopy copy;
    private int failed; // times in a row
    private long retryNanos;
    private boolean isOurs;
    private long lookNanos; // while it is not: when to look again

    /**
     * Reads the keys; nothing is asked of the store yet.
     *
     * @param newest asked again and again: some of the keys may change
     * @param cluster the UUID of the files' GTIDs
     * @param known told what is backed up
     * @param turn asked whether to copy, or only to look
     * @throws TributaryException CONFIG_INVALID when the keys cannot be read
     */
    public BackupStage(
            FinishedFiles source,
            ObjectStore store,
            Supplier<BackupConfig> newest,
            String cluster,
            BackedUp known,
            BackupTurn turn,
            Metrics metrics,
            Clock clock,
            FailPoint failPoint) {
        this.source = source;
        this.store = store;
        this.newest = newest;
        BackupConfig config = newest.get();
        this.keys = BackupKeys.of(config);
        this.cluster = cluster;
        this.folder = Backup.folder(config.prefix(), cluster);
        this.object = new ManifestObject(store, folder, cluster);
        this.known = known;
        this.turn = turn;
        this.inventory = new Inventory(store, folder);
        this.prune = new Prune(store, folder);
        this.throttle = new Throttle(() -> newest.get().throttle().bytes(), clock);
        this.clock = clock;
        this.failPoint = failPoint;
        this.lookNanos = clock.nanoTime();
        source.subscribe(listener);
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

    /** The number of the newest file that is backed up, as all files before it are; 0 while that is not known. Any thread. */
    public int backedUp() {
        return backedUp;
    }

    @Override
    public int doWork() {
        if (failed > 0 && clock.nanoTime() - retryNanos < 0 || !throttle.isFree()) {
            return 0;
        }
        try {
            return work();
        } catch (TributaryException e) {
            if (OF_A_FILE_HERE.contains(e.code())) {
                giveUp(new TributaryException(
                        ErrorCode.BACKUP_FAILED,
                        "expected to read what is to be backed up, found " + e.getMessage(),
                        e));
            } else if (OF_THE_STORE.contains(e.code())) {
                giveUp(e);
            } else {
                throw e;
            }
            return 0;
        }
    }

    private int work() {
        if (turn.isOurs() != isOurs) {
            isOurs = !isOurs;
            LOG.info("{} backs up to {}/{}", isOurs ? "this node" : "another node", store, folder);
            manifest = null;
            lookNanos = clock.nanoTime();
            closeCopy(); // another node goes on with what is there
        }
        if (!isOurs) {
            look();
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
        throttle.sent(bytes);
        sent.add(bytes);
        if (entry != null) {
            copy.close();
            copy = null;
            failPoint.hit("backup.afterCopy.beforeManifest");
            name(entry);
        }
        return 1;
    }

    private void readManifest() {
        manifest = object.readOrNew(known);
        known.know(manifest);
        woken = true;
    }

    /** Sees what another node has brought there since. */
    private void look() {
        if (clock.nanoTime() - lookNanos >= 0) {
            readManifest();
            missing();
            failed = 0;
            lookNanos = clock.nanoTime() + newest.get().look().toNanos();
        }
    }

    /** A file that is in the store gets into the manifest. */
    private void name(Manifest.Entry entry) {
        Manifest next = manifest.with(entry);
        object.replace(next);
        failPoint.hit("backup.afterManifest");
        manifest = next;
        known.know(manifest);
        inventory.add(entry.name());
        failed = 0;
        files.add(1);
        LOG.info("Backed up {} to {}/{}", entry.name(), store, folder);
    }

    /** Opens the oldest file that is not in the backup; false when all are. */
    private boolean findNext() {
        if (!woken) {
            return false;
        }
        woken = false;
        List<FinishedFile> missing = missing();
        if (missing.isEmpty()) {
            tidy();
            failed = 0;
            return false;
        }
        woken = true;
        if (!object.isThere()) {
            object.begin(manifest, known); // files without a manifest are a backup that has lost it
        }
        inventory.requireNoGap(manifest, missing.get(0));
        copy = new FileCopy(store, folder, cluster, missing.get(0), keys);
        return true;
    }

    /** What the backup has yet to get stays here. */
    private List<FinishedFile> missing() {
        List<FinishedFile> all = source.list();
        List<FinishedFile> missing = inventory.missing(manifest, all);
        pending.set(missing.size());
        int last = all.isEmpty() ? 0 : Manifest.number(all.get(all.size() - 1).name());
        backedUp = missing.isEmpty() ? last : Manifest.number(missing.get(0).name()) - 1;
        source.need(backedUp + 1);
        return missing;
    }

    /** All is backed up: what need not stay goes, and so does what crashes have left. */
    private void tidy() {
        List<Manifest.Entry> expired = Retention.of(newest.get()).expired(manifest, clock.epochMicros());
        if (!expired.isEmpty()) {
            manifest = prune.run(object, manifest, expired);
            known.know(manifest);
            LOG.info(
                    "Took {} files out of the backup, up to {}",
                    expired.size(),
                    expired.get(expired.size() - 1).name());
        }
        prune.deleteOlder(manifest);
        store.endUnfinished(folder);
    }

    private void giveUp(TributaryException cause) {
        BackupConfig config = newest.get();
        long doubled = config.retry().toNanos() << Math.min(failed, MOST_DOUBLINGS);
        long most = Math.max(config.retry().toNanos(), config.retryMax().toNanos());
        long pause = doubled <= 0 ? most : Math.min(doubled, most);
        LOG.error("{}; trying again in {} ms", cause.line(), pause / 1_000_000);
        failed++;
        failures.add(1);
        retryNanos = clock.nanoTime() + pause;
        manifest = null;
        if (!object.isThere()) {
            backedUp = 0;
            source.need(0); // nobody knows what is backed up: all stays
        }
        inventory.forget();
        closeCopy();
        turn.failed(failed);
    }

    private void closeCopy() {
        FileCopy open = copy;
        copy = null;
        if (open != null) {
            try {
                open.close();
            } catch (TributaryException e) {
                LOG.warn(e.line());
            }
        }
    }

    @Override
    public long restNanos() {
        return copy == null ? LONGEST_REST_NANOS : UNTOLD_REST_NANOS;
    }

    @Override
    public void close() {
        source.unsubscribe(listener);
        closeCopy();
    }
}
