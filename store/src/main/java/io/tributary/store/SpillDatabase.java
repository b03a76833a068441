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
 * RocksDB as the spill uses it: no log, no compression, and of memory what it is given, write buffers and block cache together.
 * Segments lie in blob files of a column family for each generation, never compacted; what is released before a write buffer is full
 * never reaches the disk. The catalogue is a column family of its own. Not safe against use after {@link #close()}: {@link Spill}
 * sees to that.
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
     * @param path the folder, made here
     * @param memory bytes of write buffers and block cache; 4 MiB at least
     */
    SpillDatabase(Path path, long memory) throws RocksDBException {
        loadLibrary(path.resolveSibling("library"));
        this.path = path;
        long most = Math.max(LEAST_MEMORY, memory);
        filter = new BloomFilter(10);
        segmentWrites =
                new WriteOptions().setDisableWAL(true).setNoSlowdown(true); // else a full disk makes it wait for ever
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
     * Unpacks RocksDB's own library beside the spill disk and loads it, once in a process. By default it goes to the system's temporary
     * folder under a name of its own, 17 MB that stay there for each node that was killed.
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

    /** @return false when RocksDB would wait for its own writing to disk: to be tried again */
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

    /** @return the value's size, also when it does not fit; -1 when there is none */
    int get(ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        return db.get(family, segmentReads, key, value);
    }

    void drop(ColumnFamilyHandle family) throws RocksDBException {
        families.remove(family);
        db.dropColumnFamily(family);
        family.close();
    }

    /** Names the files in which a key of a family may lie, for a message: a table file, and the blob file made with it. */
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
        } catch (RocksDBException | RuntimeException e) { // the message goes without
            return "";
        }
    }

    private static long idOf(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    /** How often RocksDB failed in a thread of its own since it was opened. */
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
     * Entries in the order of their keys, unsigned, from a key on and as long as they begin so.
     *
     * @param bytes of keys and values at which it ends; one entry is always given where there is one
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

    /** Bytes of block cache, and with it of write buffers. */
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
