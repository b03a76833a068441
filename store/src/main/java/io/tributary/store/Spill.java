package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * The spill disk: segments by key in RocksDB without a log, in generations. It opens with the first segment.
 *
 * <p>Segments are written and read under the shared lock; generations are made and dropped, and the whole is closed, under the
 * exclusive one, so nobody ever uses a native object that is gone.
 */
final class Spill implements AutoCloseable {
    private static final long MAX_GENERATION = 128L << 20;
    private static final int GENERATIONS = 16;
    private static final long STALL_NANOS = 500_000;
    private static final int MOST_STALLS = 4000;
    private static final long LEAST_SPACE = 64L << 20;

    private final SpillDirectory directory;
    private final long diskMax;
    private final long memory;
    private final long generationSize;
    private final SpillKeys keys = new SpillKeys();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicLong segments = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong diskBytes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();

    private SpillDatabase database; // under the lock
    private boolean closed; // under the lock
    private volatile SpillGeneration current;

    /** @param memory bytes that RocksDB may use */
    Spill(SpillDirectory directory, long diskMax, long memory) {
        this.directory = directory;
        this.diskMax = diskMax;
        this.memory = memory;
        this.generationSize = Math.max(1, Math.min(MAX_GENERATION, diskMax / GENERATIONS));
    }

    /** Whether the disk's cap has not been reached. */
    boolean hasRoom() {
        return diskBytes.get() < diskMax;
    }

    long diskMax() {
        return diskMax;
    }

    /** Bytes of payload that are held on disk. */
    long heldBytes() {
        return heldBytes.get();
    }

    /** Bytes of all generations, also of payload released in the meantime. */
    long diskBytes() {
        return diskBytes.get();
    }

    /** Bytes ever written. */
    long writtenBytes() {
        return writtenBytes.get();
    }

    /** Bytes ever read back. */
    long readBytes() {
        return readBytes.get();
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

    // ---- segments

    /** Writes a segment's bytes; they stay until they are released. */
    SpillPlace write(ByteBuffer bytes) {
        int size = bytes.remaining();
        SpillGeneration generation = begin();
        SpillPlace place = null;
        try {
            place = put(generation, bytes, size);
            return place;
        } finally {
            if (place == null) {
                letGo(generation);
            }
        }
    }

    private SpillPlace put(SpillGeneration generation, ByteBuffer bytes, int size) {
        long id = segments.incrementAndGet();
        ByteBuffer key = keys.take(id);
        try {
            for (int stalls = 0; !tryPut(generation, id, key, bytes); stalls++) {
                LockSupport.parkNanos(STALL_NANOS);
                checkStall(stalls);
            }
        } finally {
            keys.giveBack(key);
        }
        generation.count(size);
        diskBytes.addAndGet(size);
        heldBytes.addAndGet(size);
        writtenBytes.addAndGet(size);
        return new SpillPlace(generation, id, size);
    }

    private boolean tryPut(SpillGeneration generation, long id, ByteBuffer key, ByteBuffer bytes) {
        lock.readLock().lock();
        try {
            checkOpen();
            return database.put(generation.family(), key.rewind(), bytes.rewind());
        } catch (RocksDBException e) {
            throw failed("to write segment " + id + " of " + bytes.limit() + " bytes", e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** RocksDB lets writers wait while its write buffers go to disk; when that fails it would let them wait for ever. */
    private void checkStall(int stalls) {
        lock.readLock().lock();
        try {
            checkOpen();
            if (stalls > MOST_STALLS && database.backgroundErrors() > 0) {
                long usable = Files.getFileStore(directory.payload()).getUsableSpace();
                throw new TributaryException(
                        usable < LEAST_SPACE ? ErrorCode.DISK_FULL : ErrorCode.STORE_FAILED,
                        "expected the spill store in " + directory.payload()
                                + " to write its buffers to disk, that failed; " + usable + " bytes of disk are free");
            }
        } catch (RocksDBException e) {
            throw failed("to say how it is", e);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, "expected to find the free space of " + directory.payload() + ": " + e, e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Reads a segment to the beginning of a buffer that is large enough. */
    void read(SpillPlace place, ByteBuffer target) {
        ByteBuffer key = keys.take(place.id());
        lock.readLock().lock();
        try {
            checkOpen();
            target.clear();
            int size = database.get(place.generation().family(), key, target);
            if (size != place.bytes()) {
                throw new TributaryException(
                        ErrorCode.STORE_FAILED,
                        "expected segment " + place.id() + " of " + place.bytes() + " bytes in the spill store in "
                                + directory.payload() + ", found " + (size < 0 ? "none" : size + " bytes"));
            }
        } catch (RocksDBException e) {
            throw failed(
                    "to read segment " + place.id() + " of " + place.bytes() + " bytes"
                            + database.filesOf(place.generation().family(), place.id()),
                    e);
        } finally {
            lock.readLock().unlock();
            keys.giveBack(key);
        }
        target.clear();
        readBytes.addAndGet(place.bytes());
    }

    void release(SpillPlace place) {
        heldBytes.addAndGet(-place.bytes());
        letGo(place.generation());
    }

    // ---- generations

    /** The generation for a new segment, held once. */
    private SpillGeneration begin() {
        while (true) {
            SpillGeneration generation = current;
            if (generation == null || generation.written() >= generationSize) {
                rotate(generation);
            } else if (generation.hold()) {
                return generation;
            }
        }
    }

    /** Puts a new generation in the place of this one, unless somebody has. */
    private void rotate(SpillGeneration old) {
        lock.writeLock().lock();
        try {
            if (current != old) {
                return;
            }
            current = new SpillGeneration(opened().newFamily());
            if (old != null) {
                letGo(old);
            }
        } catch (RocksDBException e) {
            throw failed("to begin a generation", e);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Under the exclusive lock. */
    private SpillDatabase opened() throws RocksDBException {
        checkOpen();
        if (database == null) {
            database = new SpillDatabase(directory.payload(), memory);
        }
        return database;
    }

    private void letGo(SpillGeneration generation) {
        int left = generation.letGo();
        if (left == 0) {
            drop(generation);
        } else if (left == 1 && generation == current && generation.written() >= generationSize / 8) {
            retireIdle(generation);
        }
    }

    /** Nothing of the current generation is held: its space comes back with a new one. */
    private void retireIdle(SpillGeneration generation) {
        lock.writeLock().lock();
        try {
            if (!closed && current == generation) {
                current = null;
                letGo(generation);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void drop(SpillGeneration generation) {
        lock.writeLock().lock();
        try {
            diskBytes.addAndGet(-generation.written());
            if (!closed) {
                database.drop(generation.family());
            }
        } catch (RocksDBException e) {
            throw failed("to drop a generation", e);
        } finally {
            lock.writeLock().unlock();
        }
    }

    // ---- the catalogue

    /** A value of the catalogue; null when there is none. */
    byte[] find(byte[] key) {
        lock.readLock().lock();
        try {
            checkOpen();
            return database == null ? null : database.find(key);
        } catch (RocksDBException e) {
            throw failed("to look up a table", e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Puts a value into the catalogue. */
    void keep(byte[] key, byte[] value) {
        if (!isOpen()) {
            open();
        }
        lock.readLock().lock();
        try {
            checkOpen();
            database.keep(key, value);
        } catch (RocksDBException e) {
            throw failed("to keep a table", e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Takes all values of the catalogue from one key to before another out. */
    void forget(byte[] from, byte[] to) {
        lock.readLock().lock();
        try {
            checkOpen();
            if (database != null) {
                database.forget(from, to);
            }
        } catch (RocksDBException e) {
            throw failed("to forget tables", e);
        } finally {
            lock.readLock().unlock();
        }
    }

    private void open() {
        lock.writeLock().lock();
        try {
            opened();
        } catch (RocksDBException e) {
            throw failed("to open", e);
        } finally {
            lock.writeLock().unlock();
        }
    }

    // ---- the end

    private void checkOpen() {
        if (closed) {
            throw new TributaryException(ErrorCode.STORE_FAILED, "expected an open spill store, it has been closed");
        }
    }

    private TributaryException failed(String attempt, RocksDBException cause) {
        Status status = cause.getStatus();
        boolean noSpace = status != null && status.getSubCode() == Status.SubCode.NoSpace
                || String.valueOf(cause.getMessage()).contains("No space left");
        return new TributaryException(
                noSpace ? ErrorCode.DISK_FULL : ErrorCode.STORE_FAILED,
                "expected the spill store in " + directory.payload() + " " + attempt + ", RocksDB said: "
                        + cause.getMessage(),
                cause);
    }

    /** Ends the store and wipes its folder; payload that is still held cannot be read any more. */
    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (database != null) {
                database.close();
            }
        } finally {
            lock.writeLock().unlock();
        }
        directory.close();
    }
}
