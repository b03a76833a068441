package io.tributary.serve;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
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
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.XidEvent;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Transactions with the table maps and rows that a test requests; each batch has the new ones. */
final class ShapedStream {
    private static final Sid SHARD = new Sid(new UUID(1, 1));
    private static final long SECONDS = 1_700_000_000L;

    private final List<ByteArrayOutputStream> transactions = new ArrayList<>();
    private int batched;
    private long chunk;
    private long cuts;
    private long changes;

    /** A transaction that is being built. */
    static final class Shaped {
        private final ByteArrayOutputStream out;

        private Shaped(ByteArrayOutputStream out) {
            this.out = out;
        }

        /** Adds the table map of a table in schema shop with one column. */
        Shaped map(int id, String table) {
            byte[] name = table.getBytes(StandardCharsets.UTF_8);
            ByteBuffer body = ByteBuffer.allocate(8 + 6 + name.length + 2 + 4);
            LittleEndian.putU32(body, 0, id);
            body.position(8)
                    .put((byte) 4)
                    .put("shop".getBytes(StandardCharsets.UTF_8))
                    .put((byte) 0);
            body.put((byte) name.length).put(name).put((byte) 0);
            body.put((byte) 1).put((byte) 3).put((byte) 0).put((byte) 1);
            return event(EventType.TABLE_MAP_EVENT, body.array());
        }

        Shaped rows(int id, int bytes, boolean ends) {
            ByteBuffer body = ByteBuffer.allocate(8 + 2 + 2 + bytes);
            LittleEndian.putU32(body, 0, id);
            LittleEndian.putU16(body, 6, ends ? 1 : 0);
            LittleEndian.putU16(body, 8, 2);
            body.put(10, (byte) 1).put(11, (byte) 1);
            for (int i = 12; i < body.limit(); i++) {
                body.put(i, (byte) (i * 31 + id));
            }
            return event(EventType.WRITE_ROWS_EVENT, body.array());
        }

        private Shaped event(int type, byte[] body) {
            ByteBuffer buf = ByteBuffer.allocate(EventHeader.LENGTH + body.length);
            EventHeader.write(buf, 0, new EventOrigin(SECONDS, 1), type, buf.limit());
            buf.put(EventHeader.LENGTH, body);
            out.writeBytes(buf.array());
            return this;
        }
    }

    private ByteArrayOutputStream begun() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        transactions.add(out);
        long number = transactions.size();
        ByteBuffer gtid = ByteBuffer.allocate(GtidEvent.LENGTH);
        GtidEvent.write(gtid, 0, new EventOrigin(SECONDS, 1), SECONDS * 1_000_000, 80036);
        GtidEvent.setGno(gtid, 0, number);
        GtidEvent.setLogicalClock(gtid, 0, number - 1, number);
        out.writeBytes(gtid.array());
        return out;
    }

    /** Begins a transaction of rows. */
    Shaped transaction() {
        ByteArrayOutputStream out = begun();
        ByteBuffer begin = ByteBuffer.allocate(QueryEvent.BEGIN_LENGTH);
        QueryEvent.writeBegin(begin, 0, new EventOrigin(SECONDS, 1), 1);
        out.writeBytes(begin.array());
        return new Shaped(out);
    }

    void ddl(String schema, String sql) {
        ddl(schema, sql, new byte[27]);
    }

    /**
     * Adds a DDL statement.
     *
     * @param variables status variables; an empty array is valid for a real server
     */
    void ddl(String schema, String sql, byte[] variables) {
        byte[] name = schema.getBytes(StandardCharsets.UTF_8);
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        ByteBuffer query = ByteBuffer.allocate(QueryEvent.length(variables.length, name.length, text.length));
        QueryEvent.write(query, 0, new EventOrigin(SECONDS, 1), new LoggedStatement(0, 1, variables, name, text));
        begun().writeBytes(query.array());
    }

    /** A batch of the transactions that were in no batch before; those with rows end with XID. */
    Chunk batch() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int[] lengths = new int[transactions.size() - batched];
        int[] events = new int[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            ByteArrayOutputStream one = transactions.get(batched + i);
            ByteBuffer bytes = ByteBuffer.wrap(one.toByteArray());
            int second = EventHeader.end(bytes, 0);
            if (QueryEvent.textIs(bytes, second, EventHeader.end(bytes, second), "BEGIN")) {
                ByteBuffer xid = ByteBuffer.allocate(XidEvent.LENGTH);
                XidEvent.write(xid, 0, new EventOrigin(SECONDS, 1), batched + i);
                one.writeBytes(xid.array());
            }
            lengths[i] = one.size();
            ByteBuffer whole = ByteBuffer.wrap(one.toByteArray());
            for (int at = 0; at < lengths[i]; at = EventHeader.end(whole, at)) {
                events[i]++;
            }
            all.writeBytes(one.toByteArray());
        }
        batched = transactions.size();
        ByteBuffer view =
                ByteBuffer.allocateDirect(all.size()).put(all.toByteArray()).flip();
        return new Chunk.Batch(++chunk, view, lengths, events, () -> {});
    }

    /** The next change of the journal. */
    Chunk change(String key, String value) {
        Journal.Put put = new Journal.Put(key, value.getBytes(StandardCharsets.UTF_8));
        return new Chunk.JournalMark(++chunk, Journal.change(++changes, List.of(put), List.of()));
    }

    Chunk cut() {
        long gno = transactions.size();
        GtidSet done = GtidSet.EMPTY.toBuilder().addRange(SHARD, 1, gno).build();
        ShardCut shard = new ShardCut(
                "s1", SHARD.toString(), new ResumePosition(done, "", 0), done, gno, gno, Cut.LeftOutGtids.NONE);
        Cut cut = new Cut(
                1,
                ++cuts,
                new Cut.Sources(List.of(shard), Set.of()),
                new Cut.OutputPoint(gno, 7, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
        return new Chunk.CutMark(++chunk, cut.behindChange(changes));
    }
}
