package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spill disk: chunks by key in RocksDB without a log, in generations. It opens with the first chunk.
 *
 * <p>Chunks are put and read under the shared lock; generations are made and dropped, and the whole is closed, under the
 * exclusive one, so nobody ever uses a native object that is gone.
 */
final class Spill implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spill.class);
    private static final long MAX_GENERATION = 256L << 20;

    private final SpillDirectory directory;
    private final long diskMax;
    private final long generationSize;
    private final ChunkBuffers buffers;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicLong parts = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong diskBytes = new AtomicLong();
    private final AtomicBoolean full = new AtomicBoolean();

    private SpillDatabase database; // under the lock
    private boolean closed; // under the lock
    private volatile SpillGeneration current;

    Spill(SpillDirectory directory, int chunkSize, long diskMax) {
        this.directory = directory;
        this.diskMax = diskMax;
        this.generationSize = Math.max(1, Math.min(MAX_GENERATION, diskMax / 8));
        this.buffers = new ChunkBuffers(chunkSize);
    }

    ChunkBuffers buffers() {
        return buffers;
    }

    /** Whether the disk's cap has not been reached. */
    boolean hasRoom() {
        boolean room = diskBytes.get() < diskMax;
        if (room == full.get() && full.compareAndSet(room, !room)) {
            if (room) {
                LOG.info("The spill disk has room again; reading goes on.");
            } else {
                LOG.warn("The spill disk has reached store.disk.max of {} bytes; reading waits.", diskMax);
            }
        }
        return room;
    }

    /** Bytes of payload that are held on disk. */
    long heldBytes() {
        return heldBytes.get();
    }

    /** Bytes of all generations, also of payload released in the meantime. */
    long diskBytes() {
        return diskBytes.get();
    }

    boolean isOpen() {
        lock.readLock().lock();
        try {
            return database != null;
        } finally {
            lock.readLock().unlock();
        }
    }

    long nextPart() {
        return parts.incrementAndGet();
    }

    boolean isFull(SpillGeneration generation) {
        return generation.written() >= generationSize;
    }

    /** The generation for a new part, held once. */
    SpillGeneration begin() {
        while (true) {
            SpillGeneration generation = current;
            if (generation == null || isFull(generation)) {
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
            checkOpen();
            if (current != old) {
                return;
            }
            if (database == null) {
                database = new SpillDatabase(directory.payload());
            }
            current = new SpillGeneration(database.newFamily());
            if (old != null) {
                letGo(old);
            }
        } catch (RocksDBException e) {
            throw failed("to begin a generation", e);
        } finally {
            lock.writeLock().unlock();
        }
    }

    void put(SpillGeneration generation, ByteBuffer key, ByteBuffer chunk) {
        int size = chunk.remaining();
        lock.readLock().lock();
        try {
            checkOpen();
            database.put(generation.family(), key, chunk);
        } catch (RocksDBException e) {
            throw failed("to write a chunk of " + size + " bytes", e);
        } finally {
            lock.readLock().unlock();
        }
        generation.count(size);
        diskBytes.addAndGet(size);
    }

    /** Reads a chunk; {@code target}'s limit is set behind it. */
    void get(Part.OnDisk part, ByteBuffer key, ByteBuffer target) {
        lock.readLock().lock();
        try {
            checkOpen();
            int size = database.get(part.generation().family(), key, target);
            if (size < 1 || size > target.capacity()) {
                throw new TributaryException(
                        ErrorCode.STORE_FAILED,
                        "expected a chunk of part " + part.id() + " of 1 to " + target.capacity() + " bytes, got "
                                + size);
            }
            target.position(0).limit(size);
        } catch (RocksDBException e) {
            throw failed("to read a chunk of part " + part.id(), e);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** A part is whole and held. */
    void ended(Part.OnDisk part) {
        heldBytes.addAndGet(part.length());
    }

    void release(Part.OnDisk part) {
        heldBytes.addAndGet(-part.length());
        letGo(part.generation());
    }

    /** A part that was begun is given up. */
    void abort(SpillGeneration generation) {
        letGo(generation);
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

    private void checkOpen() {
        if (closed) {
            throw new TributaryException(ErrorCode.STORE_FAILED, "expected an open spill store, it has been closed");
        }
    }

    private static TributaryException failed(String attempt, RocksDBException cause) {
        Status status = cause.getStatus();
        boolean noSpace = status != null && status.getSubCode() == Status.SubCode.NoSpace;
        return new TributaryException(
                noSpace ? ErrorCode.DISK_FULL : ErrorCode.STORE_FAILED,
                "expected the spill store " + attempt + ", RocksDB said: " + cause.getMessage(),
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
