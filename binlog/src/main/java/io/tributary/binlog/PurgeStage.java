package io.tributary.binlog;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that purges the oldest files by age, total size and free disk space, once a second. A file that is held is kept with all
 * files after it. The file that is being written is always kept.
 */
public final class PurgeStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(PurgeStage.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final BinlogFiles files;
    private final Supplier<PurgeConfig> newest;
    private final Disk disk;
    private final Clock clock;
    private final Count purged = new Count();
    private long nextNanos;
    private String reported = "";

    /** Source of the free disk space where the files are. */
    public interface Disk {
        long freeBytes() throws IOException;

        /** The disk that holds a folder. */
        static Disk of(Path folder) {
            return () -> Files.getFileStore(folder).getUsableSpace();
        }
    }

    /**
     * Creates the stage.
     *
     * @param newest read before each purge, because the keys may change
     */
    public PurgeStage(BinlogFiles files, Supplier<PurgeConfig> newest, Disk disk, Metrics metrics, Clock clock) {
        this.files = files;
        this.newest = newest;
        this.disk = disk;
        this.clock = clock;
        this.nextNanos = clock.nanoTime();
        metrics.register(Metric.BINLOG_PURGED, purged::value);
        metrics.register(
                Metric.BINLOG_BYTES,
                () -> files.list().stream().mapToLong(BinlogFile::end).sum());
        metrics.register(Metric.BINLOG_DISK_FREE, this::freeBytes);
    }

    private double freeBytes() {
        try {
            return disk.freeBytes();
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    @Override
    public String name() {
        return "purge";
    }

    @Override
    public int doWork() {
        long now = clock.nanoTime();
        if (now - nextNanos < 0) {
            return 0;
        }
        nextNanos = now + PAUSE_NANOS;
        PurgeConfig config = newest.get();
        if (!config.isOn()) {
            return 0;
        }
        try {
            Optional<BinlogFile> first = firstToKeep(config);
            first.ifPresent(this::purgeTo);
            return first.isPresent() ? 1 : 0;
        } catch (TributaryException e) {
            report(e.line());
        } catch (IOException e) {
            report("expected to read the free disk space, found " + e);
        }
        return 0;
    }

    /** The first file to keep; empty when nothing has to be purged. */
    private Optional<BinlogFile> firstToKeep(PurgeConfig config) throws IOException {
        List<BinlogFile> all = files.list();
        long total = all.stream().mapToLong(BinlogFile::end).sum();
        long free = config.free().bytes() > 0 ? disk.freeBytes() : 0;
        int first = 0;
        while (first + 1 < all.size() && mustBePurged(config, all.get(first + 1), total, free)) {
            total -= all.get(first).end();
            free += all.get(first).end();
            first++;
        }
        return first == 0 ? Optional.empty() : Optional.of(all.get(first));
    }

    /**
     * Whether a file has to be purged.
     *
     * @param next the file after it, which was begun when it was finished
     */
    private boolean mustBePurged(PurgeConfig config, BinlogFile next, long total, long free) {
        long nowSeconds = TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros());
        return config.size().bytes() > 0 && total > config.size().bytes()
                || free < config.free().bytes()
                || !config.age().isZero()
                        && nowSeconds - next.createdSeconds() > config.age().toSeconds();
    }

    private void purgeTo(BinlogFile file) {
        Purge purge = files.purgeTo(file.name());
        purged.add(purge.purged().size());
        purge.held()
                .filter(held -> !purge.awaitsSnapshot())
                .ifPresent(held -> report("files before " + file.name() + " should be purged, found " + held
                        + " and later ones held: being read, or not backed up yet"));
    }

    /** Logs a problem once while it stays the same. */
    private void report(String problem) {
        if (!problem.equals(reported)) {
            reported = problem;
            LOG.warn("purge incomplete: reason=\"{}\"", problem);
        }
    }

    @Override
    public long restNanos() {
        return PAUSE_NANOS / 4;
    }

    @Override
    public void close() {
        // nothing to close
    }
}
