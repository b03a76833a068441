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
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * RocksDB as the spill uses it: no log, no compaction, no compression, no block cache, bounded write buffers. What is released before
 * a write buffer is full never reaches the disk. Not safe against use after {@link #close()}: {@link Spill} sees to that.
 */
final class SpillDatabase implements AutoCloseable {
    private static final long WRITE_BUFFER = 16L << 20;
    private static final long WRITE_BUFFERS = 64L << 20;

    private final BloomFilter filter;
    private final ColumnFamilyOptions familyOptions;
    private final DBOptions options;
    private final WriteOptions writeOptions;
    private final ReadOptions readOptions;
    private final RocksDB db;
    private final ColumnFamilyHandle unused;
    private final Set<ColumnFamilyHandle> families = new HashSet<>();
    private long made;

    /** @param path the folder, made here */
    SpillDatabase(Path path) throws RocksDBException {
        RocksDB.loadLibrary();
        filter = new BloomFilter(10);
        familyOptions = new ColumnFamilyOptions()
                .setWriteBufferSize(WRITE_BUFFER)
                .setMaxWriteBufferNumber(4)
                .setDisableAutoCompactions(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(
                        new BlockBasedTableConfig().setNoBlockCache(true).setFilterPolicy(filter));
        options = new DBOptions()
                .setCreateIfMissing(true)
                .setErrorIfExists(true)
                .setDbWriteBufferSize(WRITE_BUFFERS)
                .setAvoidFlushDuringShutdown(true)
                .setMaxBackgroundJobs(2)
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setKeepLogFileNum(1)
                .setStatsDumpPeriodSec(0);
        writeOptions = new WriteOptions().setDisableWAL(true);
        readOptions = new ReadOptions().setFillCache(false);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        db = RocksDB.open(
                options,
                path.toString(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions)),
                handles);
        unused = handles.get(0);
    }

    ColumnFamilyHandle newFamily() throws RocksDBException {
        byte[] name = ("generation-" + ++made).getBytes(StandardCharsets.US_ASCII);
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(name, familyOptions));
        families.add(family);
        return family;
    }

    void put(ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        db.put(family, writeOptions, key, value);
    }

    /** @return the value's size, also when it does not fit; -1 when there is none */
    int get(ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        return db.get(family, readOptions, key, value);
    }

    void drop(ColumnFamilyHandle family) throws RocksDBException {
        families.remove(family);
        db.dropColumnFamily(family);
        family.close();
    }

    @Override
    public void close() {
        families.forEach(ColumnFamilyHandle::close);
        unused.close();
        db.close();
        readOptions.close();
        writeOptions.close();
        options.close();
        familyOptions.close();
        filter.close();
    }
}
