package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Guards the spill's RocksDB, which is opened at its first use, with a lock. It is used under the shared lock. Families are created and dropped, and
 * the database is closed, under the exclusive lock, so a native object is never used after it was freed. The exclusive lock is reentrant.
 */
final class SpillGate {
    private final SpillDirectory directory;
    private final long memory;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private SpillDatabase database; // under the lock
    private boolean closed; // under the lock

    /** An operation on the database. */
    interface Use<T> {
        /** @param database null if it has not been opened yet, under the shared lock */
        T with(SpillDatabase database) throws RocksDBException;
    }

    /** @param memory bytes that RocksDB may use */
    SpillGate(SpillDirectory directory, long memory) {
        this.directory = directory;
        this.memory = memory;
    }

    boolean isOpen() {
        lock.readLock().lock();
        try {
            return database != null;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Bytes that RocksDB uses in memory. */
    long memoryInUse() {
        lock.readLock().lock();
        try {
            return database == null || closed ? 0 : database.memoryInUse();
        } catch (RocksDBException e) {
            throw failed("to report its memory", e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Uses the database concurrently with other threads.
     *
     * @param attempt for the message if it fails
     * @throws TributaryException STORE_FAILED, also if it has been closed; DISK_FULL
     */
    <T> T shared(Supplier<String> attempt, Use<T> use) {
        lock.readLock().lock();
        try {
            checkOpen();
            return use.with(database);
        } catch (RocksDBException e) {
            throw failed(attempt.get(), e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Uses the database exclusively, and opens it first if necessary; throws as {@link #shared} does. */
    <T> T exclusive(Supplier<String> attempt, Use<T> use) {
        lock.writeLock().lock();
        try {
            checkOpen();
            if (database == null) {
                database = new SpillDatabase(directory.payload(), memory);
            }
            return use.with(database);
        } catch (RocksDBException e) {
            throw failed(attempt.get(), e);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Like {@link #exclusive}, but does nothing if the database is closed. */
    void exclusiveUnlessClosed(Supplier<String> attempt, Use<Void> use) {
        lock.writeLock().lock();
        try {
            if (!closed) {
                exclusive(attempt, use);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new TributaryException(ErrorCode.STORE_FAILED, "expected an open spill store, found it closed");
        }
    }

    TributaryException failed(String attempt, RocksDBException cause) {
        Status status = cause.getStatus();
        boolean noSpace = status != null && status.getSubCode() == Status.SubCode.NoSpace
                || String.valueOf(cause.getMessage()).contains("No space left");
        return new TributaryException(
                noSpace ? ErrorCode.DISK_FULL : ErrorCode.STORE_FAILED,
                "expected the spill store in " + directory.payload() + " " + attempt + ", found the RocksDB error: "
                        + cause.getMessage(),
                cause);
    }

    /**
     * Closes the database; later uses fail.
     *
     * @return whether it had not been closed before
     */
    boolean end() {
        lock.writeLock().lock();
        try {
            boolean wasOpen = !closed;
            closed = true;
            if (wasOpen && database != null) {
                database.close();
            }
            return wasOpen;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
