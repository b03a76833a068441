package io.tributary.bench.write;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.SchemaState;
import io.tributary.mysql.event.EventHeader;
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
 * What a collector sends, made of one transaction that is told again and again: batches of 256 KiB, a cut behind each. A transaction has
 * five events of 200 bytes on the average.
 */
public final class BatchFeed implements Stage {
    /** Of a transaction, without checksums. */
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
            new ConcurrentLinkedDeque<>(); // the last used first: it is in the caches
    private long sent;
    private long chunks;
    private boolean cutIsDue;

    /** @param transactions after which it is done, rounded up to whole batches */
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

    /** So many transactions in a row, not numbered yet. */
    public static ByteBuffer batch(int transactions, Random random) {
        ByteBuffer batch = ByteBuffer.allocateDirect(transactions * TRANSACTION);
        byte[] noise = new byte[TRANSACTION];
        for (int at = 0; at < batch.limit(); at += TRANSACTION) {
            random.nextBytes(noise);
            batch.put(at, noise);
            GtidEvent.write(batch, at, TIME, 1, 0, TIME * 1_000_000, 80036);
            int begin = at + GtidEvent.LENGTH;
            QueryEvent.writeBegin(batch, begin, TIME, 1, 0);
            int map = begin + QueryEvent.BEGIN_LENGTH;
            EventHeader.write(batch, map, TIME, EventType.TABLE_MAP_EVENT, 1, TABLE_MAP, 0, 0);
            int rows = map + TABLE_MAP;
            int xid = at + TRANSACTION - XidEvent.LENGTH;
            EventHeader.write(batch, rows, TIME, EventType.WRITE_ROWS_EVENT, 1, xid - rows, 0, 0);
            XidEvent.write(batch, xid, TIME, 1, 1);
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

    /** Nobody tells that a batch has come back. */
    @Override
    public long restNanos() {
        return UNTOLD_REST_NANOS;
    }

    /** Numbers the transactions of a batch behind the last one; the new last number. */
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

    /** The cut of four shards behind a transaction. */
    public static Cut cut(long number, long gno) {
        List<ShardCut> shards = new ArrayList<>();
        for (int shard = 0; shard < 4; shard++) {
            GtidSet done = GtidSet.parse(SHARD + ":1-" + (gno + shard));
            shards.add(new ShardCut(
                    "s" + shard, SHARD.toString(), done, done, "binlog.000001", 1000 * gno, gno >> 10, gno));
        }
        return new Cut(1, number, gno, 1, shards, Set.of(), SchemaState.NONE);
    }

    @Override
    public void close() {}
}
