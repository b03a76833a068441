package io.tributary.binlog;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Journal;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The chunks of a Task from a cut on: transaction n has the same bytes in every stream with the same seed. */
public final class TaskStream {
    private static final Sid SHARD = new Sid(new UUID(1, 1));

    private final long seed;
    private final AtomicInteger unreleased = new AtomicInteger();
    private long chunk;
    private long gno;
    private long sequence;
    private long cuts;
    private long epoch = 1;
    private long change;

    public TaskStream(long seed, Optional<Cut> from) {
        this.seed = seed;
        this.gno = from.map(Cut::transactions).orElse(0L);
        this.cuts = from.map(Cut::number).orElse(0L);
        this.change = from.map(Cut::schemaNumber).orElse(0L);
    }

    /** This stream, with cuts of another epoch from now on. */
    public TaskStream under(long newEpoch) {
        epoch = newEpoch;
        return this;
    }

    public long gno() {
        return gno;
    }

    /** Number of chunks whose buffers were not released yet. */
    public int unreleased() {
        return unreleased.get();
    }

    public Chunk batch(int transactions) {
        ByteBuffer[] parts = new ByteBuffer[transactions];
        int[] lengths = new int[transactions];
        int[] events = new int[transactions];
        int total = 0;
        for (int i = 0; i < transactions; i++) {
            parts[i] = transaction();
            lengths[i] = parts[i].limit();
            for (int at = 0; at < lengths[i]; at = EventHeader.end(parts[i], at)) {
                events[i]++;
            }
            total += lengths[i];
        }
        ByteBuffer view = ByteBuffer.allocateDirect(total + 3).position(3);
        for (ByteBuffer part : parts) {
            view.put(part);
        }
        unreleased.incrementAndGet();
        return new Chunk.Batch(++chunk, view.position(3), lengths, events, unreleased::decrementAndGet);
    }

    /** A large transaction in pieces of at most that many bytes, or a few more, because no header is split. */
    public List<Chunk> large(int rows, int rowBytes, int pieceBytes) {
        ByteBuffer bytes = transaction(rows, rowBytes);
        List<Chunk> chunks = new ArrayList<>();
        chunks.add(new Chunk.Begin(++chunk, bytes.limit(), rows + 3L));
        boolean[] inHeader = new boolean[bytes.limit() + 1];
        for (int at = 0; at < bytes.limit(); at = EventHeader.end(bytes, at)) {
            for (int i = 1; i < (at == 0 ? GtidEvent.LENGTH : EventHeader.LENGTH); i++) {
                inHeader[at + i] = true;
            }
        }
        int from = 0;
        while (from < bytes.limit()) {
            int to = Math.min(bytes.limit(), from + pieceBytes);
            while (inHeader[to]) {
                to++;
            }
            ByteBuffer piece = ByteBuffer.allocateDirect(to - from)
                    .put(bytes.slice(from, to - from))
                    .flip();
            unreleased.incrementAndGet();
            chunks.add(new Chunk.Data(++chunk, piece, unreleased::decrementAndGet));
            from = to;
        }
        chunks.add(new Chunk.End(++chunk));
        return chunks;
    }

    /** The next change of the journal. */
    public Chunk change(List<Journal.Put> puts, List<String> removed) {
        return new Chunk.JournalMark(++chunk, Journal.change(++change, puts, removed));
    }

    public Chunk cut() {
        return new Chunk.CutMark(++chunk, cutAt());
    }

    private Cut cutAt() {
        GtidSet done = gno == 0
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder().addRange(SHARD, 1, gno).build();
        ShardCut shard = new ShardCut(
                "s1", SHARD.toString(), new ResumePosition(done, "", 0), done, gno, gno, Cut.LeftOutGtids.NONE);
        return new Cut(
                        epoch,
                        ++cuts,
                        new Cut.Sources(List.of(shard), Set.of()),
                        new Cut.OutputPoint(gno, 7, 10 * gno),
                        new Cut.SchemaPoint(SchemaState.NONE, 0))
                .behindChange(change);
    }

    private ByteBuffer transaction() {
        Random random = random();
        return transaction(random.nextInt(4), 1 + random.nextInt(300));
    }

    private ByteBuffer transaction(int rows, int rowBytes) {
        gno++;
        sequence++;
        Random random = random();
        ByteBuffer buf = ByteBuffer.allocate(GtidEvent.LENGTH + 200 + rows * (rowBytes + EventHeader.LENGTH));
        long seconds = 1_700_000_000L + gno;
        GtidEvent.write(buf, 0, new EventOrigin(seconds, 1), seconds * 1_000_000, 80036);
        GtidEvent.setGno(buf, 0, gno);
        GtidEvent.setLogicalClock(
                buf, 0, sequence == 1 ? 0 : 1 + new Random(gno).nextInt((int) sequence - 1), sequence);
        int at = GtidEvent.LENGTH;
        at = event(buf, at, EventType.QUERY_EVENT, new byte[20]);
        for (int i = 0; i < rows; i++) {
            byte[] body = new byte[rowBytes];
            random.nextBytes(body);
            at = event(buf, at, EventType.WRITE_ROWS_EVENT, body);
        }
        at = event(buf, at, EventType.XID_EVENT, new byte[8]);
        return buf.limit(at);
    }

    private Random random() {
        return new Random((seed * 31 + gno) * 0x9e3779b97f4a7c15L);
    }

    private static int event(ByteBuffer buf, int at, int type, byte[] body) {
        int size = EventHeader.LENGTH + body.length;
        EventHeader.write(buf, at, new EventOrigin(1_700_000_000L, 1), type, size);
        buf.put(at + EventHeader.LENGTH, body);
        return at + size;
    }
}
