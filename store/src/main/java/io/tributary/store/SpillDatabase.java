package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * RocksDB in the configuration of the spill: no write-ahead log, no compression, and a fixed amount of memory for write buffers and block cache
 * together. Segments are stored in blob files of one column family for each generation, which is never compacted; a segment that is released before a
 * write buffer is full is never written to disk. The catalogue has a column family of its own. Not safe against use after {@link #close()}:
 * {@link Spill} ensures that.
 */
final class SpillDatabase implements AutoCloseable {
    private static final long LEAST_MEMORY = 4L << 20;
    private static final int WRITE_BUFFERS = 4;
    private static final long CATALOGUE_WRITE_BUFFER = 1L << 20;
    private static final long SMALLEST_BLOB = 1 << 10;

    private final LRUCache cache;
    private final WriteBufferManager writeBuffers;
    private final BloomFilter filter;
    private final ColumnFamilyOptions segmentOptions;
    private final ColumnFamilyOptions catalogueOptions;
    private final DBOptions options;
    private final WriteOptions segmentWrites;
    private final WriteOptions catalogueWrites;
    private final ReadOptions segmentReads;
    private final ReadOptions catalogueReads;
    private final RocksDB db;
    private final ColumnFamilyHandle catalogue;
    private final Set<ColumnFamilyHandle> families = new HashSet<>();
    private final Path path;
    private long made;

    /**
     * @param path the folder, created here
     * @param memory bytes of write buffers and block cache; at least 4 MiB
     */
    SpillDatabase(Path path, long memory) throws RocksDBException {
        loadLibrary(path.resolveSibling("library"));
        this.path = path;
        long most = Math.max(LEAST_MEMORY, memory);
        filter = new BloomFilter(10);
        segmentWrites =
                new WriteOptions().setDisableWAL(true).setNoSlowdown(true); // else a full disk makes it wait forever
        catalogueWrites = new WriteOptions().setDisableWAL(true);
        segmentReads = new ReadOptions().setFillCache(false);
        catalogueReads = new ReadOptions();
        cache = new LRUCache(most, 0);
        writeBuffers = new WriteBufferManager(most / 4 * 3, cache); // counted in the cache, so both are within its size
        segmentOptions = new ColumnFamilyOptions()
                .setWriteBufferSize(most / 4 * 3 / WRITE_BUFFERS)
                .setMaxWriteBufferNumber(WRITE_BUFFERS - 1)
                .setDisableAutoCompactions(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setEnableBlobFiles(true)
                .setMinBlobSize(SMALLEST_BLOB)
                .setBlobCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(tables());
        catalogueOptions = new ColumnFamilyOptions()
                .setWriteBufferSize(CATALOGUE_WRITE_BUFFER)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(tables());
        options = new DBOptions()
                .setCreateIfMissing(true)
                .setErrorIfExists(true)
                .setWriteBufferManager(writeBuffers)
                .setAvoidFlushDuringShutdown(true)
                .setMaxBackgroundJobs(2)
                .setMaxOpenFiles(512)
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setKeepLogFileNum(1)
                .setStatsDumpPeriodSec(0);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        db = RocksDB.open(
                options,
                path.toString(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, catalogueOptions)),
                handles);
        catalogue = handles.get(0);
    }

    /**
     * Unpacks RocksDB's native library beside the spill disk and loads it, once in a process. By default it is unpacked to the system's temporary
     * folder under a new name each time: 17 MB that stay there for each node that was killed.
     */
    private static void loadLibrary(Path folder) throws RocksDBException {
        try {
            NativeLibraryLoader.getInstance()
                    .loadLibrary(
                            Files.createDirectories(folder).toAbsolutePath().toString());
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.STORE_FAILED,
                    "cannot unpack RocksDB's library into " + folder + ": " + e.getMessage(),
                    e);
        }
        RocksDB.loadLibrary();
    }

    private BlockBasedTableConfig tables() {
        return new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setFilterPolicy(filter);
    }

    // ---- segments

    ColumnFamilyHandle newFamily() throws RocksDBException {
        byte[] name = ("generation-" + ++made).getBytes(StandardCharsets.US_ASCII);
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(name, segmentOptions));
        families.add(family);
        return family;
    }

    /** @return false if RocksDB would wait for its own writes to disk: try again */
    boolean put(ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        try {
            db.put(family, segmentWrites, key, value);
            return true;
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
                return false;
            }
            throw e;
        }
    }

    /** @return the value's size, also if it does not fit; -1 if there is none */
    int get(ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        return db.get(family, segmentReads, key, value);
    }

    void drop(ColumnFamilyHandle family) throws RocksDBException {
        families.remove(family);
        db.dropColumnFamily(family);
        family.close();
    }

    /** The names of the files that may contain a key of a family, for a message: a table file, and the blob file made with it. */
    String filesOf(ColumnFamilyHandle family, long id) {
        try {
            byte[] name = family.getName();
            List<String> files = new ArrayList<>();
            for (LiveFileMetaData file : db.getLiveFilesMetaData()) {
                boolean mayHold = idOf(file.smallestKey()) <= id && id <= idOf(file.largestKey());
                if (mayHold && Arrays.equals(name, file.columnFamilyName())) {
                    String table = file.fileName().replace("/", "");
                    String blob = String.format("%06d.blob", Long.parseLong(table.replace(".sst", "")) + 1);
                    files.add(Files.exists(path.resolve(blob)) ? table + " or " + blob : table + " or its blob file");
                }
            }
            return files.isEmpty() ? "" : " from " + String.join(", ", files);
        } catch (RocksDBException | RuntimeException e) { // the message is written without them
            return "";
        }
    }

    private static long idOf(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    /** How often a background thread of RocksDB has failed since it was opened. */
    long backgroundErrors() throws RocksDBException {
        return db.getLongProperty("rocksdb.background-errors");
    }

    // ---- the catalogue

    byte[] find(byte[] key) throws RocksDBException {
        return db.get(catalogue, catalogueReads, key);
    }

    void keep(byte[] key, byte[] value) throws RocksDBException {
        db.put(catalogue, catalogueWrites, key, value);
    }

    void forget(byte[] from, byte[] to) throws RocksDBException {
        db.deleteRange(catalogue, catalogueWrites, from, to);
    }

    void remove(byte[] key) throws RocksDBException {
        db.delete(catalogue, catalogueWrites, key);
    }

    /**
     * Entries in the order of their keys, unsigned, starting at a key, as long as they have a prefix.
     *
     * @param bytes of keys and values at which the page ends; it contains at least one entry if there is one
     */
    List<Map.Entry<byte[], byte[]>> page(byte[] from, byte[] beginning, long bytes) throws RocksDBException {
        List<Map.Entry<byte[], byte[]>> page = new ArrayList<>();
        try (RocksIterator entries = db.newIterator(catalogue, catalogueReads)) {
            long size = 0;
            for (entries.seek(from); entries.isValid() && (page.isEmpty() || size < bytes); entries.next()) {
                byte[] key = entries.key();
                if (key.length < beginning.length
                        || !Arrays.equals(key, 0, beginning.length, beginning, 0, beginning.length)) {
                    break;
                }
                byte[] value = entries.value();
                size += key.length + value.length;
                page.add(Map.entry(key, value));
            }
            entries.status();
        }
        return page;
    }

    // ---- all

    /** Bytes of the block cache, which include the write buffers. */
    long memoryInUse() throws RocksDBException {
        return Math.max(cache.getUsage(), db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"));
    }

    @Override
    public void close() {
        families.forEach(ColumnFamilyHandle::close);
        catalogue.close();
        db.close();
        catalogueReads.close();
        segmentReads.close();
        segmentWrites.close();
        catalogueWrites.close();
        options.close();
        catalogueOptions.close();
        segmentOptions.close();
        filter.close();
        writeBuffers.close();
        cache.close();
    }
}
