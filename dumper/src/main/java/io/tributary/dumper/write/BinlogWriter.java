package io.tributary.dumper.write;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogSync;
import io.tributary.dumper.SparseEntry;
import java.nio.ByteBuffer;

/**
 * The one writer: writes all blocks that are ready with one call, forces the file once for all of them, and then tells the readers how
 * far they may read. What follows the last cut is written too, and told of with the next.
 */
final class BinlogWriter implements Stage {
    private static final int BLOCKS_AT_ONCE = 128;
    private static final long BYTES_AT_ONCE = 16 << 20;

    private final BlockRing ring;
    private final BinlogFiles files;
    private final BinlogConfig config;
    private final FileOpener opener;
    private final Clock clock;
    private final FailPoint failPoint;
    private final ByteBuffer[] buffers = new ByteBuffer[BLOCKS_AT_ONCE];
    private final Count bytes = new Count();
    private final Count transactions = new Count();
    private final Count syncs = new Count();
    private OutputFile file;
    private long cutEnd;
    private long cutGno;
    private long cutNumber;
    private boolean cutIsTold = true;
    private long forcedNanos;

    BinlogWriter(
            BlockRing ring,
            BinlogFiles files,
            BinlogConfig config,
            FileOpener opener,
            Metrics metrics,
            Clock clock,
            FailPoint failPoint) {
        this.ring = ring;
        this.files = files;
        this.config = config;
        this.opener = opener;
        this.clock = clock;
        this.failPoint = failPoint;
        this.cutGno = files.writtenEnd().gno();
        this.cutNumber = files.writtenEnd().cut();
        this.forcedNanos = clock.nanoTime();
        BinlogFile last = files.writtenEnd().file();
        this.file = OutputFile.resume(opener, last.path(), last.written());
        metrics.register(Metric.WRITE_BYTES, bytes::value);
        metrics.register(Metric.WRITE_TRANSACTIONS, transactions::value);
        metrics.register(Metric.WRITE_SYNCS, syncs::value);
    }

    @Override
    public String name() {
        return "write";
    }

    @Override
    public int doWork() {
        long last = gather();
        long first = ring.written() + 1;
        if (last >= first) {
            NextFile next = ring.get(last).next;
            long end = ring.get(last).offset + ring.get(last).out.limit();
            write(first, last);
            ring.setWritten(last);
            if (next != null) {
                roll(next, end);
            }
        }
        if (!cutIsTold) {
            forceAndTell();
        }
        return (int) (last - first + 1);
    }

    /** The last block to write now; a file's last block ends the batch. */
    private long gather() {
        long ready = ring.patched();
        long at = ring.written();
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

    private void write(long first, long last) {
        for (long i = first; i <= last; i++) {
            Block block = ring.get(i);
            if (block.cut) {
                cutEnd = block.offset + block.out.limit();
                transactions.add(block.gno - cutGno);
                cutGno = block.gno;
                cutNumber = block.cutNumber;
                cutIsTold = false;
            }
            for (SparseEntry entry : block.entries) {
                file.mark(entry);
            }
        }
        failPoint.hit("writer.beforeWrite");
        bytes.add(file.write(buffers, (int) (last - first + 1)));
        failPoint.hit("writer.afterWrite.beforeSync");
    }

    private void forceAndTell() {
        if (config.sync() == BinlogSync.INTERVAL
                && clock.nanoTime() - forcedNanos < config.syncInterval().toNanos()) {
            return;
        }
        if (config.sync() != BinlogSync.NEVER) {
            force();
        }
        tell();
    }

    private void force() {
        file.force();
        syncs.add(1);
        forcedNanos = clock.nanoTime();
        failPoint.hit("writer.afterSync.beforePublish");
    }

    private void tell() {
        files.advance(cutEnd, cutGno, cutNumber);
        cutIsTold = true;
    }

    /** The current file has its last byte; goes on in the next. */
    private void roll(NextFile next, long finishedEnd) {
        if (config.sync() != BinlogSync.NEVER) {
            force();
        }
        if (!cutIsTold) {
            tell();
        }
        file.mark(new SparseEntry(finishedEnd, cutGno + 1, 0, 0));
        file.close();
        failPoint.hit("writer.rotate.beforeCreate");
        file = OutputFile.create(opener, next.path(), next.head());
        bytes.add(next.head().limit());
        failPoint.hit("writer.rotate.afterCreate");
        files.rotate(finishedEnd, next.path(), next.head().limit(), next.previousGtids());
        failPoint.hit("writer.rotate.afterIndex");
    }

    @Override
    public void close() {
        file.close();
    }
}
