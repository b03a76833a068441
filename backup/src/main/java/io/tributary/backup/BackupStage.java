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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies finished files to the store, one after another, and names each in the manifest once it is there. A failure of the store
 * is logged and tried again after a pause; it never stops the pipeline. It has no state but the manifest: after a crash it goes
 * on with the first file that is not named there. Give it a thread of its own, for a store may block.
 */
public final class BackupStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(BackupStage.class);

    private final FinishedFiles source;
    private final ObjectStore store;
    private final BackupConfig config;
    private final String cluster;
    private final String folder;
    private final Backup backup;
    private final Clock clock;
    private final FailPoint failPoint;
    private final Runnable listener = this::wake;
    private final Count files = new Count();
    private final Count pending = new Count();
    private volatile boolean woken = true;
    private Manifest manifest;
    private FileCopy copy;
    private boolean failing;
    private long retryNanos;

    /** @param cluster the UUID of the files' GTIDs */
    public BackupStage(
            FinishedFiles source,
            ObjectStore store,
            BackupConfig config,
            String cluster,
            Metrics metrics,
            Clock clock,
            FailPoint failPoint) {
        this.source = source;
        this.store = store;
        this.config = config;
        this.cluster = cluster;
        this.folder = Backup.folder(config.prefix(), cluster);
        this.backup = new Backup(store, config.prefix(), cluster);
        this.clock = clock;
        this.failPoint = failPoint;
        source.subscribe(listener);
        metrics.register(Metric.BACKUP_FILES, files::value);
        metrics.register(Metric.BACKUP_PENDING, pending::value);
    }

    private void wake() {
        woken = true;
    }

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public int doWork() {
        if (failing && clock.nanoTime() - retryNanos < 0) {
            return 0;
        }
        try {
            int done = work();
            failing = false;
            return done;
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.BACKUP_FAILED && e.code() != ErrorCode.BACKUP_CORRUPT) {
                throw e;
            }
            LOG.error("{}; trying again in {}", e.line(), config.retry());
            giveUp();
            return 0;
        }
    }

    private int work() {
        if (manifest == null) {
            manifest = readManifest();
        }
        if (copy == null && !findNext()) {
            return 0;
        }
        Manifest.Entry entry = copy.step();
        if (entry != null) {
            copy.close();
            copy = null;
            failPoint.hit("backup.afterCopy.beforeManifest");
            Manifest next = manifest.with(entry);
            store.replace(folder + Manifest.NAME, next.bytes());
            failPoint.hit("backup.afterManifest");
            manifest = next;
            files.add(1);
            LOG.info("Backed up {} to {}", entry.name(), folder);
        }
        return 1;
    }

    private Manifest readManifest() {
        Manifest read = backup.readManifest().orElse(new Manifest(cluster, List.of()));
        if (!read.cluster().equals(cluster)) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CORRUPT,
                    folder + Manifest.NAME + ": expected cluster " + cluster + ", found " + read.cluster());
        }
        return read;
    }

    /** Opens the oldest file that is not in the backup; false when all are. */
    private boolean findNext() {
        if (!woken) {
            return false;
        }
        woken = false;
        List<FinishedFile> missing =
                source.list().stream().filter(file -> !isThere(file)).toList();
        pending.set(missing.size());
        if (missing.isEmpty()) {
            return false;
        }
        woken = true;
        copy = new FileCopy(store, folder, missing.get(0));
        return true;
    }

    /** Named in the manifest, and in the store with its size. */
    private boolean isThere(FinishedFile file) {
        Optional<Manifest.Entry> entry = manifest.find(file.name());
        if (entry.isPresent() && entry.get().size() != file.size()) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CORRUPT,
                    folder + file.name() + ": expected the file that is backed up, of "
                            + entry.get().size() + " bytes, found another one of " + file.size()
                            + " bytes; nothing is overwritten");
        }
        return entry.isPresent() && store.size(folder + file.name()).equals(Optional.of(file.size()));
    }

    private void giveUp() {
        failing = true;
        retryNanos = clock.nanoTime() + config.retry().toNanos();
        manifest = null;
        woken = true;
        closeCopy();
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
    public void close() {
        source.unsubscribe(listener);
        closeCopy();
    }
}
