package io.tributary.dumper;

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
 * Purges the oldest files by age, size and free disk, now and then. What somebody holds stays with all that follow it; the file
 * that is being written always does.
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
    private String told = "";

    /** How much is free where the files are. */
    public interface Disk {
        long freeBytes() throws IOException;

        /** The disk of a folder. */
        static Disk of(Path folder) {
            return () -> Files.getFileStore(folder).getUsableSpace();
        }
    }

    /** @param newest asked each time: the keys may change */
    public PurgeStage(BinlogFiles files, Supplier<PurgeConfig> newest, Disk disk, Metrics metrics, Clock clock) {
        this.files = files;
        this.newest = newest;
        this.disk = disk;
        this.clock = clock;
        this.nextNanos = clock.nanoTime();
        metrics.register(Metric.BINLOG_PURGED, purged::value);
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
            Optional<BinlogFile> first = firstToStay(config);
            first.ifPresent(this::purgeTo);
            return first.isPresent() ? 1 : 0;
        } catch (TributaryException e) {
            tell(e.line());
        } catch (IOException e) {
            tell("cannot see how much disk is free: " + e);
        }
        return 0;
    }

    /** Empty when nothing has to go. */
    private Optional<BinlogFile> firstToStay(PurgeConfig config) throws IOException {
        List<BinlogFile> all = files.list();
        long total = all.stream().mapToLong(BinlogFile::end).sum();
        long free = config.free().bytes() > 0 ? disk.freeBytes() : 0;
        int first = 0;
        while (first + 1 < all.size() && hasToGo(config, all.get(first + 1), total, free)) {
            total -= all.get(first).end();
            free += all.get(first).end();
            first++;
        }
        return first == 0 ? Optional.empty() : Optional.of(all.get(first));
    }

    /** @param next the file behind, which was begun when the one in question was finished */
    private boolean hasToGo(PurgeConfig config, BinlogFile next, long total, long free) {
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
                .ifPresent(held -> tell("files up to " + file.name() + " are to be purged and stay from " + held
                        + " on: it is being read, or not backed up yet"));
    }

    /** A problem that goes on is told once. */
    private void tell(String problem) {
        if (!problem.equals(told)) {
            told = problem;
            LOG.warn("{}", problem);
        }
    }

    @Override
    public long restNanos() {
        return PAUSE_NANOS / 4;
    }

    @Override
    public void close() {
        // holds nothing
    }
}
