package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * The spill's RocksDB, which opens with its first use, behind a lock: it is used under the shared one; families are made and dropped,
 * and the whole is closed, under the exclusive one, so nobody ever uses a native object that is gone. The exclusive lock may be taken
 * again by who has it.
 */
final class SpillGate {
    private final SpillDirectory directory;
    private final long memory;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private SpillDatabase database; // under the lock
    private boolean closed; // under the lock

    /** What is done with the database. */
    interface Use<T> {
        /** @param database null where nothing has opened it yet, under the shared lock */
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
            throw failed("to say what memory it uses", e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Uses the database beside others.
     *
     * @param attempt for the message when it fails
     * @throws TributaryException STORE_FAILED, also when it has been closed; DISK_FULL
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

    /** Uses the database alone, and opens it first where need be; throws as {@link #shared} does. */
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

    /** Like {@link #exclusive}, but does nothing where the database is not open any more. */
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
            throw new TributaryException(ErrorCode.STORE_FAILED, "expected an open spill store, it has been closed");
        }
    }

    TributaryException failed(String attempt, RocksDBException cause) {
        Status status = cause.getStatus();
        boolean noSpace = status != null && status.getSubCode() == Status.SubCode.NoSpace
                || String.valueOf(cause.getMessage()).contains("No space left");
        return new TributaryException(
                noSpace ? ErrorCode.DISK_FULL : ErrorCode.STORE_FAILED,
                "expected the spill store in " + directory.payload() + " " + attempt + ", RocksDB said: "
                        + cause.getMessage(),
                cause);
    }

    /**
     * Ends the database; who uses it later is told.
     *
     * @return whether it had not been ended before
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
