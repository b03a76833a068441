package io.tributary.binlog.write;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.common.cluster.Lease;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Histogram;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.SlotRing;
import io.tributary.common.pipeline.Stage;
import java.nio.ByteBuffer;

/**
 * The only writer of the files. It writes all ready blocks with one call and hands the new end to the {@link BinlogSyncer}, which syncs it
 * while this stage continues to write, up to a limit of bytes. Bytes after the last cut are written and synced too, and published with the
 * next cut.
 */
final class BinlogWriter implements Stage {
    private static final int BLOCKS_AT_ONCE = 128;
    private static final long BYTES_AT_ONCE = 16 << 20;
    /** Bytes that may be written and not synced yet. */
    private static final long MAX_UNSYNCED = 64 << 20;

    private final SlotRing<Block> ring;
    private final BinlogFiles files;
    private final BinlogSync sync;
    private final FileOpener opener;
    private final SyncQueue written;
    private final Lease lease;
    private final DiskStallMonitor disk;
    private final FailPoint failPoint;
    private final ByteBuffer[] buffers = new ByteBuffer[BLOCKS_AT_ONCE];
    private final Count bytes = new Count();
    private final Count transactions = new Count();
    private final Histogram batchBytes = Histogram.ofBytes();
    private final Histogram batchNanos = Histogram.ofNanos();
    private OutputFile file;
    private long cutEnd;
    private long cutGno;
    private long cutNumber;
    private long commitMicros; // of the oldest transaction that is not published
    private boolean areCommitsHandedOver; // whether the cut after that transaction was handed over
    private long handedOver;
    /** End of the file when its last byte is written and waits to be synced; {@link #next} follows it. */
    private long finishedEnd;

    private NextFile next;

    BinlogWriter(BinlogStart start, SlotRing<Block> ring, SyncQueue written, DiskStallMonitor disk, Metrics metrics) {
        this.ring = ring;
        this.files = start.files();
        this.sync = start.disk().config().sync();
        this.opener = start.disk().opener();
        this.written = written;
        this.lease = start.lease();
        this.disk = disk;
        this.failPoint = start.failPoint();
        this.cutGno = files.writtenEnd().gno();
        this.cutNumber = files.writtenEnd().cut();
        BinlogFile last = files.writtenEnd().file();
        this.file = OutputFile.resume(opener, last.path(), last.written());
        metrics.register(Metric.WRITE_BYTES, bytes::value);
        metrics.register(Metric.WRITE_TRANSACTIONS, transactions::value);
        metrics.register(Metric.WRITE_BATCH_BYTES, batchBytes);
        metrics.register(Metric.WRITE_BATCH_SECONDS, batchNanos);
    }

    @Override
    public String name() {
        return "write";
    }

    @Override
    public int doWork() {
        if (next != null) {
            return rotate();
        }
        if (sync == BinlogSync.ALWAYS && handedOver - written.published() > MAX_UNSYNCED) {
            return 0;
        }
        long last = gatherBatch();
        long first = ring.consumed() + 1;
        if (last < first) {
            return 0;
        }
        if (!lease.holds()) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected a lease to write after cut " + cutNumber + ", found that it has expired");
        }
        Block lastBlock = ring.get(last);
        next = lastBlock.next;
        finishedEnd = lastBlock.offset + lastBlock.out.limit();
        boolean hasCut = write(first, last);
        if (hasCut || next != null || bytes.value() - handedOver >= BYTES_AT_ONCE) {
            handedOver = bytes.value();
            areCommitsHandedOver = hasCut;
            written.put(new SyncQueue.Written(file, handedOver, cutEnd, cutGno, cutNumber, commitMicros, next != null));
        }
        ring.consume(last);
        return (int) (last - first + 1);
    }

    /** The last block to write now; the last block of a file ends the batch. */
    private long gatherBatch() {
        long ready = ring.passed();
        long at = ring.consumed();
        long size = 0;
        for (int i = 0; i < BLOCKS_AT_ONCE && at < ready && size < BYTES_AT_ONCE; i++) {
            Block block = ring.get(++at);
            buffers[i] = block.out;
            size += block.out.remaining();
            if (block.next != null) {
                break;
            }
        }
        return at;
    }

    /** Writes blocks; returns whether a cut is among them. */
    private boolean write(long first, long last) {
        boolean hasCut = false;
        if (areCommitsHandedOver && written.published() == handedOver) {
            commitMicros = 0;
        }
        areCommitsHandedOver = false;
        for (long i = first; i <= last; i++) {
            Block block = ring.get(i);
            commitMicros = commitMicros == 0 ? block.commitMicros : commitMicros;
            if (block.cut) {
                cutEnd = block.offset + block.out.limit();
                transactions.add(block.gno - cutGno);
                cutGno = block.gno;
                cutNumber = block.cutNumber;
                hasCut = true;
            }
            for (SparseEntry entry : block.entries) {
                file.mark(entry);
            }
        }
        failPoint.hit("writer.beforeWrite");
        disk.start();
        long size = file.write(buffers, (int) (last - first + 1));
        batchNanos.record(disk.stop());
        bytes.add(size);
        batchBytes.record(size);
        failPoint.hit("writer.afterWrite.beforeSync");
        return hasCut;
    }

    /** Continues in the next file when all bytes of the current one are synced and published. */
    private int rotate() {
        if (written.published() != handedOver || !lease.holds()) {
            return 0;
        }
        disk.start();
        file.mark(new SparseEntry(finishedEnd, cutGno + 1, 0, 0));
        file.close();
        failPoint.hit("writer.rotate.beforeCreate");
        file = OutputFile.create(opener, next.path(), next.head());
        bytes.add(next.head().limit());
        failPoint.hit("writer.rotate.afterCreate");
        files.rotate(finishedEnd, next.path(), next.head().limit(), next.previousGtids());
        var unused = disk.stop();
        failPoint.hit("writer.rotate.afterIndex");
        next = null;
        cutEnd = 0;
        return 1;
    }

    /** The file stays open: the syncer may still sync it. */
    @Override
    public void close() {}

    /** Closes the file. Call it only after the threads of writer and syncer have ended. */
    void closeFile() {
        file.close();
    }
}
