package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.RocksDBException;

/**
 * The spill disk: segments by key in RocksDB without a write-ahead log, in generations. It is opened for the first segment. Generations change only
 * under the gate's exclusive lock.
 */
final class Spill implements AutoCloseable {
    private static final long MAX_GENERATION = 128L << 20;
    private static final int GENERATIONS = 16;
    private static final long STALL_NANOS = 500_000;
    private static final int MOST_STALLS = 4000;
    private static final long LEAST_SPACE = 64L << 20;

    private final SpillDirectory directory;
    private final long diskMax;
    private final long generationSize;
    private final SpillKeys keys = new SpillKeys();
    private final SpillGate gate;
    private final AtomicLong segments = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong diskBytes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();

    private volatile SpillGeneration current;

    /** @param memory bytes that RocksDB may use */
    Spill(SpillDirectory directory, long diskMax, long memory) {
        this.directory = directory;
        this.diskMax = diskMax;
        this.gate = new SpillGate(directory, memory);
        this.generationSize = Math.max(1, Math.min(MAX_GENERATION, diskMax / GENERATIONS));
    }

    /** Whether the disk's limit has not been reached. */
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

    /** Bytes of all generations, also of payload that has been released. */
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
        return gate.isOpen();
    }

    /** Bytes that RocksDB uses in memory. */
    long memoryInUse() {
        return gate.memoryInUse();
    }

    // ---- segments

    /** Writes a segment's bytes; they are kept until they are released. */
    SpillPlace write(ByteBuffer bytes) {
        int size = bytes.remaining();
        SpillGeneration generation = begin();
        SpillPlace place = null;
        try {
            place = put(generation, bytes, size);
            return place;
        } finally {
            if (place == null) {
                releaseHold(generation);
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
        return gate.shared(
                () -> "to write segment " + id + " of " + bytes.limit() + " bytes",
                database -> database.put(generation.family(), key.rewind(), bytes.rewind()));
    }

    /** RocksDB makes writers wait while its write buffers are flushed to disk; if that fails they would wait forever. */
    private void checkStall(int stalls) {
        boolean isHopeless = gate.shared(
                () -> "to report its errors", database -> stalls > MOST_STALLS && database.backgroundErrors() > 0);
        if (isHopeless) {
            long usable = usableSpace();
            throw new TributaryException(
                    usable < LEAST_SPACE ? ErrorCode.DISK_FULL : ErrorCode.STORE_FAILED,
                    "expected the spill store in " + directory.payload()
                            + " to write its buffers to disk, found a failure;  " + usable + " bytes of disk are free");
        }
    }

    private long usableSpace() {
        try {
            return Files.getFileStore(directory.payload()).getUsableSpace();
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, "expected to find the free space of " + directory.payload() + ": " + e, e);
        }
    }

    /** Reads a segment to the beginning of a buffer that is large enough. */
    void read(SpillPlace place, ByteBuffer target) {
        ByteBuffer key = keys.take(place.id());
        try {
            target.clear();
            int size = gate.shared(
                    () -> "to read segment " + place.id() + " of " + place.bytes() + " bytes",
                    database -> get(database, place, key, target));
            if (size != place.bytes()) {
                throw new TributaryException(
                        ErrorCode.STORE_FAILED,
                        "expected segment " + place.id() + " of " + place.bytes() + " bytes in the spill store in "
                                + directory.payload() + ", found " + (size < 0 ? "none" : size + " bytes"));
            }
        } finally {
            keys.giveBack(key);
        }
        target.clear();
        readBytes.addAndGet(place.bytes());
    }

    /** An error names the files that contain the segment. */
    private int get(SpillDatabase database, SpillPlace place, ByteBuffer key, ByteBuffer target) {
        try {
            return database.get(place.generation().family(), key, target);
        } catch (RocksDBException e) {
            throw gate.failed(
                    "to read segment " + place.id() + " of " + place.bytes() + " bytes"
                            + database.filesOf(place.generation().family(), place.id()),
                    e);
        }
    }

    void release(SpillPlace place) {
        heldBytes.addAndGet(-place.bytes());
        releaseHold(place.generation());
    }

    // ---- generations

    /** The generation for a new segment, with one hold on it. */
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

    /** Replaces this generation by a new one, unless another thread has done so. */
    private void rotate(SpillGeneration old) {
        gate.exclusive(() -> "to begin a generation", database -> {
            if (current == old) {
                current = new SpillGeneration(database.newFamily());
                if (old != null) {
                    releaseHold(old);
                }
            }
            return null;
        });
    }

    private void releaseHold(SpillGeneration generation) {
        int left = generation.releaseHold();
        if (left == 0) {
            drop(generation);
        } else if (left == 1 && generation == current && generation.written() >= generationSize / 8) {
            retireIdle(generation);
        }
    }

    /** No segment of the current generation is held: its space is freed, and the next segment starts a new one. */
    private void retireIdle(SpillGeneration generation) {
        gate.exclusiveUnlessClosed(() -> "to end a generation", database -> {
            if (current == generation) {
                current = null;
                releaseHold(generation);
            }
            return null;
        });
    }

    private void drop(SpillGeneration generation) {
        diskBytes.addAndGet(-generation.written());
        gate.exclusiveUnlessClosed(() -> "to drop a generation", database -> {
            database.drop(generation.family());
            return null;
        });
    }

    // ---- the catalogue

    /** A value of the catalogue; null if there is none. */
    byte[] find(byte[] key) {
        return gate.shared(() -> "to look up a table", database -> database == null ? null : database.find(key));
    }

    /** Puts a value into the catalogue. */
    void keep(byte[] key, byte[] value) {
        if (!isOpen()) {
            gate.exclusive(() -> "to open", database -> null);
        }
        gate.shared(() -> "to keep a table", database -> {
            database.keep(key, value);
            return null;
        });
    }

    /** Removes all values of the catalogue from one key (inclusive) to another (exclusive). */
    void forget(byte[] from, byte[] to) {
        gate.shared(() -> "to forget tables", database -> {
            if (database != null) {
                database.forget(from, to);
            }
            return null;
        });
    }

    /** Removes a value. */
    void remove(byte[] key) {
        gate.shared(() -> "to forget an entry", database -> {
            if (database != null) {
                database.remove(key);
            }
            return null;
        });
    }

    /** See {@link SpillDatabase#page}. */
    List<Map.Entry<byte[], byte[]>> page(byte[] from, byte[] beginning, long bytes) {
        return gate.shared(
                () -> "to list entries",
                database -> database == null ? List.of() : database.page(from, beginning, bytes));
    }

    // ---- the end

    /** Closes the store and wipes its folder; payload that is still held cannot be read any more. */
    @Override
    public void close() {
        if (gate.end()) {
            directory.close();
        }
    }
}
