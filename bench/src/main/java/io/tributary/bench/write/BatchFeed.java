package io.tributary.bench.write;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.XidEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Simulates the output of a collector with one transaction that is repeated: batches of 256 KiB, each with a cut after it. The transaction has
 * five events of 200 bytes on average.
 */
public final class BatchFeed implements Stage {
    /** The bytes of the transaction, without checksums. */
    public static final int EVENTS = 5;

    public static final int TRANSACTION = EVENTS * 200;
    private static final int TABLE_MAP = 70;
    private static final int BATCH = (256 << 10) / TRANSACTION;
    private static final int BUFFERS = 96;
    private static final long TIME = 1_700_000_000L;
    private static final UUID SHARD = new UUID(7, 7);

    private final Outlet<Chunk> out;
    private final long transactions;
    private final ConcurrentLinkedDeque<ByteBuffer> idle =
            new ConcurrentLinkedDeque<>(); // the last used one first: it is in the CPU caches
    private long sent;
    private long chunks;
    private boolean cutIsDue;

    /** @param transactions number of transactions, rounded up to complete batches */
    BatchFeed(Outlet<Chunk> out, long transactions) {
        this.out = out;
        this.transactions = (transactions + BATCH - 1) / BATCH * BATCH;
        Random random = new Random(11);
        for (int i = 0; i < BUFFERS; i++) {
            idle.addLast(batch(BATCH, random));
        }
    }

    long transactions() {
        return transactions;
    }

    /** A batch of this many transactions, not numbered yet. */
    public static ByteBuffer batch(int transactions, Random random) {
        ByteBuffer batch = ByteBuffer.allocateDirect(transactions * TRANSACTION);
        byte[] noise = new byte[TRANSACTION];
        for (int at = 0; at < batch.limit(); at += TRANSACTION) {
            random.nextBytes(noise);
            batch.put(at, noise);
            GtidEvent.write(batch, at, new EventOrigin(TIME, 1), TIME * 1_000_000, 80036);
            int begin = at + GtidEvent.LENGTH;
            QueryEvent.writeBegin(batch, begin, new EventOrigin(TIME, 1), 0);
            int map = begin + QueryEvent.BEGIN_LENGTH;
            EventHeader.write(batch, map, new EventOrigin(TIME, 1), EventType.TABLE_MAP_EVENT, TABLE_MAP);
            int rows = map + TABLE_MAP;
            int xid = at + TRANSACTION - XidEvent.LENGTH;
            EventHeader.write(batch, rows, new EventOrigin(TIME, 1), EventType.WRITE_ROWS_EVENT, xid - rows);
            XidEvent.write(batch, xid, new EventOrigin(TIME, 1), 1);
        }
        return batch;
    }

    @Override
    public String name() {
        return "feed";
    }

    @Override
    public int doWork() {
        if (!out.hasRoom()) {
            return 0;
        }
        if (cutIsDue) {
            out.put(new Chunk.CutMark(++chunks, cut()));
            cutIsDue = false;
            return 1;
        }
        ByteBuffer batch = sent == transactions ? null : idle.pollLast();
        if (batch == null) {
            return 0;
        }
        sent = number(batch, sent);
        int[] lengths = new int[BATCH];
        Arrays.fill(lengths, TRANSACTION);
        int[] events = new int[BATCH];
        Arrays.fill(events, EVENTS);
        out.put(new Chunk.Batch(++chunks, batch, lengths, events, () -> idle.addLast(batch)));
        cutIsDue = true;
        return 1;
    }

    /** It polls, because no wake-up reports a returned batch. */
    @Override
    public long restNanos() {
        return POLL_REST_NANOS;
    }

    /** Numbers the transactions of a batch after the last one; returns the new last number. */
    public static long number(ByteBuffer batch, long last) {
        long gno = last;
        for (int at = 0; at < batch.limit(); at += TRANSACTION) {
            gno++;
            GtidEvent.setGno(batch, at, gno);
            GtidEvent.setLogicalClock(batch, at, gno - 1, gno);
        }
        return gno;
    }

    private Cut cut() {
        return cut(chunks, sent);
    }

    /** The cut of four shards after a transaction. */
    public static Cut cut(long number, long gno) {
        List<ShardCut> shards = new ArrayList<>();
        for (int shard = 0; shard < 4; shard++) {
            GtidSet done = GtidSet.parse(SHARD + ":1-" + (gno + shard));
            shards.add(new ShardCut(
                    "s" + shard,
                    SHARD.toString(),
                    new ResumePosition(done, "binlog.000001", 1000 * gno),
                    done,
                    gno >> 10,
                    gno,
                    Cut.LeftOutGtids.NONE));
        }
        return new Cut(
                1,
                number,
                new Cut.Sources(shards, Set.of()),
                new Cut.OutputPoint(gno, 1, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    @Override
    public void close() {}
}
