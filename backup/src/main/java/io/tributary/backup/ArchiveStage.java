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
 * Brings files of the backup back into a folder for those who read them, one after another, each as a whole and checked before
 * anybody gets it; and while nobody waits, the one behind a file that is being read. What nobody reads any more goes when there is
 * no room. Give it a thread of its own, for a store may block.
 */
public final class ArchiveStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(ArchiveStage.class);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Backup backup;
    private final BackedUp known;
    private final Shelf shelf;
    private final Count bytes = new Count();
    private final CountDownLatch looked = new CountDownLatch(1);
    private volatile Thread thread;
    private Shelf.Volume current; // being brought
    private Download download;
    private FileChannel channel;

    /**
     * Empties the folder, or makes it.
     *
     * @param mostBytes how much the folder holds, but for one file that may be larger
     * @throws TributaryException DIRECTORY_UNUSABLE
     */
    public ArchiveStage(Backup backup, BackedUp known, Path folder, long mostBytes, Metrics metrics) {
        this.backup = backup;
        this.known = known;
        this.shelf = new Shelf(folder, mostBytes);
        metrics.register(Metric.BACKUP_READ_BYTES, bytes::value);
    }

    @Override
    public String name() {
        return "archive";
    }

    /**
     * Waits until it has looked at what there is, so that no reader is refused for want of it; a store that does not answer costs no
     * more than the time given. Any thread but its own.
     */
    public void awaitLook(Duration atMost) {
        try {
            if (!looked.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("the backup does not answer; readers get no purged files until it does");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Only the first time: later whoever backs up tells what there is. */
    private void look() {
        try {
            if (known.manifest().isEmpty()) {
                backup.read().ifPresent(known::know);
            }
        } catch (TributaryException e) {
            LOG.warn("{}; readers get no purged files until it can be read", e.line());
        }
        looked.countDown();
    }

    /**
     * Asks for a file; any thread, returns at once. The caller closes the loan.
     *
     * @param told called, perhaps at once, when the file is there or cannot be had; quick
     * @return empty when the backup has no such file
     */
    public Optional<Loan> borrow(String name, Runnable told) {
        Optional<Loan> loan = known.manifest()
                .flatMap(manifest -> manifest.find(name))
                .map(file -> new Loan(shelf, shelf.borrow(file, told), told));
        LockSupport.unpark(thread);
        return loan;
    }

    /** A file that somebody reads or waits for. */
    public static final class Loan implements AutoCloseable {
        private final Shelf shelf;
        private final Shelf.Volume volume;
        private final Runnable told;
        private boolean closed;

        private Loan(Shelf shelf, Shelf.Volume volume, Runnable told) {
            this.shelf = shelf;
            this.volume = volume;
            this.told = told;
        }

        /**
         * Where it is; empty while it is on its way.
         *
         * @throws TributaryException when it cannot be had
         */
        public Optional<Path> path() {
            return shelf.path(volume);
        }

        /** Gives it back: it may go. */
        @Override
        public void close() {
            if (!closed) {
                closed = true;
                shelf.giveBack(volume, told);
            }
        }
    }

    @Override
    public int doWork() {
        thread = Thread.currentThread();
        if (looked.getCount() > 0) {
            look();
        }
        try {
            return current == null ? begin() : goOn();
        } catch (TributaryException e) {
            fail(e);
        } catch (IOException e) {
            fail(new TributaryException(
                    ErrorCode.IO_FAILED, shelf + ": expected to bring a file of the backup there, found " + e, e));
        }
        return 1;
    }

    private int begin() throws IOException {
        current = shelf.next(known.manifest()).orElse(null);
        if (current == null) {
            return 0;
        }
        channel = FileChannel.open(
                shelf.place(current),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        download = backup.download(current.file());
        return 1;
    }

    private int goOn() throws IOException {
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
        Shelf.Volume done = current;
        close();
        LOG.info("brought {} back from the backup for readers", done.file().name());
        shelf.isThere(done);
        return 1;
    }

    private void fail(TributaryException cause) {
        Shelf.Volume failed = current;
        LOG.error("a reader's file cannot be brought back from the backup: {}", cause.line());
        close();
        shelf.failed(failed, cause);
    }

    @Override
    public long restNanos() {
        return current == null ? REST_NANOS : UNTOLD_REST_NANOS;
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
            LOG.warn("cannot close a file in {}", shelf, e);
        }
        channel = null;
    }
}
