package io.tributary.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
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
    private final WriteOptions writeOptions;
    private final ReadOptions segmentReads;
    private final ReadOptions catalogueReads;
    private final RocksDB db;
    private final ColumnFamilyHandle catalogue;
    private final Set<ColumnFamilyHandle> families = new HashSet<>();
    private long made;

    /**
     * @param path the folder, made here
     * @param memory bytes of write buffers and block cache; 4 MiB at least
     */
    SpillDatabase(Path path, long memory) throws RocksDBException {
        RocksDB.loadLibrary();
        long most = Math.max(LEAST_MEMORY, memory);
        filter = new BloomFilter(10);
        writeOptions = new WriteOptions().setDisableWAL(true);
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

    void put(ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        db.put(family, writeOptions, key, value);
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

    /** Names the table files of a family, for a message. */
    String filesOf(ColumnFamilyHandle family) {
        try {
            String name = new String(family.getName(), StandardCharsets.US_ASCII);
            List<String> files = new ArrayList<>();
            for (LiveFileMetaData file : db.getLiveFilesMetaData()) {
                if (name.equals(new String(file.columnFamilyName(), StandardCharsets.US_ASCII))) {
                    files.add(file.fileName());
                }
            }
            return " of " + name + (files.isEmpty() ? "" : " (" + String.join(", ", files) + " and their blob files)");
        } catch (RocksDBException e) {
            return "";
        }
    }

    // ---- the catalogue

    byte[] find(byte[] key) throws RocksDBException {
        return db.get(catalogue, catalogueReads, key);
    }

    void keep(byte[] key, byte[] value) throws RocksDBException {
        db.put(catalogue, writeOptions, key, value);
    }

    void forget(byte[] from, byte[] to) throws RocksDBException {
        db.deleteRange(catalogue, writeOptions, from, to);
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
        writeOptions.close();
        options.close();
        catalogueOptions.close();
        segmentOptions.close();
        filter.close();
        writeBuffers.close();
        cache.close();
    }
}
