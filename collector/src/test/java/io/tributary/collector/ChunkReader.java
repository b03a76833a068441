package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.pipeline.Outlet;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.XidEvent;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Receives chunks like a dumper, checks their form and that of every transaction in them, and keeps their content. */
final class ChunkReader implements Outlet<Chunk> {
    /** One transaction of the output. */
    record Transaction(long gno, long lastCommitted, boolean isDdl, byte[] payload) {}

    /** A change of the journal, and the numbers of transactions and cuts before it. */
    record Change(Journal change, int transactionsBefore, int cutsBefore) {}

    private final List<Integer> cutsBefore = new ArrayList<>(); // of each transaction
    private final List<Transaction> transactions = new ArrayList<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final long serverId;
    private ByteArrayOutputStream large;
    private Chunk.Begin begin;
    private long chunks;
    private int room = Integer.MAX_VALUE;
    private int pieces;

    ChunkReader(long serverId) {
        this.serverId = serverId;
    }

    List<Transaction> transactions() {
        return transactions;
    }

    List<Change> changes() {
        return changes;
    }

    /** How many cuts are before a transaction. */
    int cutsBefore(int transaction) {
        return cutsBefore.get(transaction);
    }

    List<Cut> cuts() {
        return cuts;
    }

    /** Pieces of large transactions. */
    int pieces() {
        return pieces;
    }

    void room(int forChunks) {
        room = forChunks;
    }

    @Override
    public boolean hasRoom() {
        return room > 0;
    }

    @Override
    public void put(Chunk chunk) {
        room--;
        assertEquals(++chunks, chunk.number());
        assertEquals(
                begin != null, chunk instanceof Chunk.Data || chunk instanceof Chunk.End, "nothing between pieces");
        if (chunk instanceof Chunk.Batch batch) {
            int at = batch.view().position();
            assertEquals(batch.lengths().length, batch.events().length);
            for (int i = 0; i < batch.lengths().length; i++) {
                int length = batch.lengths()[i];
                byte[] bytes = new byte[length];
                batch.view().get(at, bytes);
                assertEquals(events(bytes), batch.events()[i]);
                transactions.add(read(bytes));
                at += length;
            }
            assertEquals(batch.view().limit(), at);
        } else if (chunk instanceof Chunk.Begin first) {
            begin = first;
            large = new ByteArrayOutputStream();
        } else if (chunk instanceof Chunk.Data data) {
            piece(data.view());
        } else if (chunk instanceof Chunk.End) {
            assertEquals(begin.length(), large.size());
            assertEquals(begin.events(), events(large.toByteArray()));
            transactions.add(read(large.toByteArray()));
            begin = null;
        } else if (chunk instanceof Chunk.CutMark mark) {
            assertEquals(
                    transactions.isEmpty() ? mark.cut().transactions() : newest(),
                    mark.cut().transactions());
            assertEquals(
                    changes.isEmpty() ? mark.cut().schemaNumber() : newestChange(),
                    mark.cut().schemaNumber());
            cuts.add(mark.cut());
        } else if (chunk instanceof Chunk.JournalMark mark) {
            assertTrue(changes.isEmpty() || mark.change().number() == newestChange() + 1);
            changes.add(new Change(mark.change(), transactions.size(), cuts.size()));
        }
        while (cutsBefore.size() < transactions.size()) {
            cutsBefore.add(cuts.size());
        }
        chunk.release();
    }

    private long newestChange() {
        return changes.get(changes.size() - 1).change().number();
    }

    private long newest() {
        return transactions.get(transactions.size() - 1).gno();
    }

    private void piece(ByteBuffer view) {
        byte[] bytes = new byte[view.remaining()];
        view.get(view.position(), bytes);
        large.writeBytes(bytes);
        pieces++;
        byte[] all = large.toByteArray();
        ByteBuffer sofar = ByteBuffer.wrap(all);
        int at = 0;
        while (at < all.length) { // the last event may be truncated, but not its header
            assertTrue(all.length - at >= EventHeader.LENGTH, "a header is split");
            at = EventHeader.end(sofar, at);
        }
    }

    private static int events(byte[] bytes) {
        ByteBuffer view = ByteBuffer.wrap(bytes);
        int events = 0;
        for (int at = 0; at < bytes.length; at = EventHeader.end(view, at)) {
            events++;
        }
        return events;
    }

    private Transaction read(byte[] bytes) {
        ByteBuffer view = ByteBuffer.wrap(bytes);
        for (int at = 0; at < bytes.length; at = EventHeader.end(view, at)) {
            EventHeader.check(view, at);
            assertEquals(0, EventHeader.logPos(view, at));
        }
        int body = EventHeader.end(view, 0);
        assertEquals(EventType.GTID_LOG_EVENT, EventHeader.type(view, 0));
        GtidEvent.check(view, 0, body);
        long gno = GtidEvent.gno(view, 0);
        assertEquals(serverId, EventHeader.serverId(view, 0));
        assertEquals(0, GtidEvent.uuidMost(view, 0) | GtidEvent.uuidLeast(view, 0));
        assertEquals(gno, GtidEvent.sequenceNumber(view, 0, body));
        assertEquals(bytes.length + 4L * events(bytes), GtidEvent.transactionLength(view, 0, body));
        assertTrue(GtidEvent.immediateCommitMicros(view, 0, body) > 1_600_000_000_000_000L);
        long lastCommitted = GtidEvent.lastCommitted(view, 0, body);
        assertTrue(lastCommitted < gno);
        boolean isDdl = GtidEvent.flags(view, 0) == GtidEvent.FLAG_MAY_HAVE_SBR;
        int end = bytes.length;
        if (!isDdl) {
            int begins = body;
            body = EventHeader.end(view, begins);
            end -= XidEvent.LENGTH;
            QueryEvent.check(view, begins, body);
            assertTrue(QueryEvent.textIs(view, begins, body, "BEGIN"));
            XidEvent.check(view, end, bytes.length);
            assertEquals(EventType.XID_EVENT, EventHeader.type(view, end));
            assertEquals(gno, XidEvent.xid(view, end));
            assertEquals(EventHeader.timestamp(view, body), EventHeader.timestamp(view, begins));
            assertEquals(EventHeader.timestamp(view, body), EventHeader.timestamp(view, end));
        }
        assertEquals(EventHeader.timestamp(view, body), EventHeader.timestamp(view, 0));
        return new Transaction(gno, lastCommitted, isDdl, Arrays.copyOfRange(bytes, body, end));
    }
}
