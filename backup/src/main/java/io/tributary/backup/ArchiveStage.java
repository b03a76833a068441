package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage that copies files of the backup into a folder for readers, one after another. Each is copied and checked as a whole before a reader gets
 * it. While no reader waits, it copies the file after one that is being read. Files that no reader reads are deleted if there is no room. Give it a
 * thread of its own, because a store may block.
 */
public final class ArchiveStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(ArchiveStage.class);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Backup backup;
    private final BackupState known;
    private final ArchiveCache cache;
    private final Count bytes = new Count();
    private final CountDownLatch hasRead = new CountDownLatch(1);
    private volatile Thread thread;
    private ArchiveCache.Volume current; // being copied
    private Download download;
    private FileChannel channel;

    /**
     * Empties the folder, or creates it.
     *
     * @param mostBytes the maximum size of the folder, except for a single file that may be larger
     * @throws TributaryException DIRECTORY_UNUSABLE
     */
    public ArchiveStage(Backup backup, BackupState known, Path folder, long mostBytes, Metrics metrics) {
        this.backup = backup;
        this.known = known;
        this.cache = new ArchiveCache(folder, mostBytes);
        metrics.register(Metric.BACKUP_READ_BYTES, bytes::value);
    }

    @Override
    public String name() {
        return "archive";
    }

    /**
     * Waits until this stage has read which files the backup has, so that no reader is refused too early. If the store does not answer, it waits no
     * longer than the given time. Any thread except the stage's own.
     */
    public void awaitLook(Duration atMost) {
        try {
            if (!hasRead.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("backup does not answer: effect=\"readers get no purged files until it does\"");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the manifest the first time only; later the stage that backs up updates it. */
    private void readManifest() {
        try {
            if (known.manifest().isEmpty()) {
                backup.read().ifPresent(known::update);
            }
        } catch (TributaryException e) {
            LOG.warn(
                    "backup not read: error=\"{}\" effect=\"readers get no purged files until it can be read\"",
                    e.line());
        }
        hasRead.countDown();
    }

    /**
     * Requests a file; any thread, returns at once. The caller closes the loan.
     *
     * @param callback called, perhaps at once, when the file is there or cannot be copied; must be quick
     * @return empty if the backup has no such file
     */
    public Optional<Loan> borrow(String name, Runnable callback) {
        Optional<Loan> loan = known.manifest()
                .flatMap(manifest -> manifest.find(name))
                .map(file -> new Loan(cache, cache.borrow(file, callback), callback));
        LockSupport.unpark(thread);
        return loan;
    }

    /** A file that a reader reads or waits for. */
    public static final class Loan implements AutoCloseable {
        private final ArchiveCache cache;
        private final ArchiveCache.Volume volume;
        private final Runnable callback;
        private boolean closed;

        private Loan(ArchiveCache cache, ArchiveCache.Volume volume, Runnable callback) {
            this.cache = cache;
            this.volume = volume;
            this.callback = callback;
        }

        /**
         * The path of the file; empty while it is being copied.
         *
         * @throws TributaryException if it cannot be copied
         */
        public Optional<Path> path() {
            return cache.path(volume);
        }

        /** Returns the file: it may be deleted. */
        @Override
        public void close() {
            if (!closed) {
                closed = true;
                cache.giveBack(volume, callback);
            }
        }
    }

    @Override
    public int doWork() {
        thread = Thread.currentThread();
        if (hasRead.getCount() > 0) {
            readManifest();
        }
        try {
            return current == null ? begin() : continueCopy();
        } catch (TributaryException e) {
            fail(e);
        } catch (IOException e) {
            fail(new TributaryException(
                    ErrorCode.IO_FAILED, cache + ": expected to copy a file of the backup there, found " + e, e));
        }
        return 1;
    }

    private int begin() throws IOException {
        current = cache.next(known.manifest()).orElse(null);
        if (current == null) {
            return 0;
        }
        channel = FileChannel.open(
                cache.place(current),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        download = backup.download(current.file());
        return 1;
    }

    private int continueCopy() throws IOException {
        if (!download.isReady()) {
            return 0;
        }
        Optional<ByteBuffer> next = download.next();
        if (next.isPresent()) {
            bytes.add(next.get().remaining());
            while (next.get().hasRemaining()) {
                channel.write(next.get());
            }
            return 1;
        }
        ArchiveCache.Volume done = current;
        close();
        LOG.info(
                "file copied back from the backup for readers: file={}",
                done.file().name());
        cache.isThere(done);
        return 1;
    }

    private void fail(TributaryException cause) {
        ArchiveCache.Volume failed = current;
        LOG.error("file not copied back from the backup: error=\"{}\"", cause.line());
        close();
        cache.failed(failed, cause);
    }

    @Override
    public long restNanos() {
        return current == null ? REST_NANOS : POLL_REST_NANOS;
    }

    @Override
    public void close() {
        current = null;
        if (download != null) {
            download.close();
            download = null;
        }
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.warn("file not closed: folder={}", cache, e);
        }
        channel = null;
    }
}
