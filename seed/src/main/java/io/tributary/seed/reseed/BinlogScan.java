package io.tributary.seed.reseed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.GtidTaggedLogEvent;
import io.tributary.mysql.event.PayloadUnpacker;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.TransactionPayloadEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import io.tributary.mysql.event.xa.XaStatement;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.EventConsumer;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.StreamEnd;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.EventEnds;
import io.tributary.replay.stream.RowImages;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Reads a MySQL server's binlog from one set of GTIDs to another, and reports which rows of some tables each transaction changes. For one thread. */
final class BinlogScan implements EventConsumer, AutoCloseable {
    private static final int POLL_BYTES = 1 << 20;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int WINDOW = 256 << 10;
    private static final List<String> HARMLESS = List.of("SAVEPOINT ", "RELEASE ", "XA END", "ROLLBACK");

    private final Function<TableName, int[]> keys;
    private final Listener listener;
    private final Map<Long, MappedTable> tables = new HashMap<>();
    private final EventEnds ends = new EventEnds();
    private final PayloadUnpacker unpacker = new PayloadUnpacker(WINDOW);
    private GtidSet.Builder seen = GtidSet.EMPTY.toBuilder();
    private Sid sid;
    private Gtid gtid;
    private boolean hasBegun;

    /** What a transaction does. */
    enum End {
        COMMITTED,
        PREPARED,
        BRANCH_ENDED,
        STATEMENT
    }

    /** Receives what was read. */
    interface Listener {
        /**
         * A row image.
         *
         * @param key the bytes of the columns of the row key in it
         * @param wasThere whether it is the image before a change
         */
        void row(TableName physical, ByteBuffer key, boolean wasThere);

        /**
         * The rows since the last call are of this transaction.
         *
         * @param xid of a branch that was prepared or has ended, otherwise null
         * @param text of a statement, otherwise ""
         */
        void ended(Gtid gtid, End end, Xid xid, String text);
    }

    private record MappedTable(TableName name, RowImages images, int[] key, int[] places) {}

    /** @param keys by its physical name, the indexes of the columns of a table's row key; null for a table of no interest */
    BinlogScan(Function<TableName, int[]> keys, Listener listener) {
        this.keys = keys;
        this.listener = listener;
    }

    /**
     * Reads; blocks until all of {@code upTo} was read.
     *
     * @param session becomes the stream; the caller closes it
     * @throws TributaryException SHARD_POSITION_PURGED, SHARD_UNREACHABLE, SQL_FAILED
     */
    void run(SqlSession session, GtidSet after, GtidSet upTo, long serverId) {
        UUID reader = UUID.fromString(session.value("SELECT UUID()"));
        seen = after.toBuilder();
        try (BinlogStream stream = session.connection()
                .await(
                        session.connection().dump(BinlogDump.after(after, serverId, reader)),
                        session.peer().timeout())) {
            ends.begin(stream.checksummed());
            while (!seen.build().containsAll(upTo)) {
                if (stream.poll(this, POLL_BYTES) == 0) {
                    requireOpen(session, stream);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (MysqlServerError e) {
            throw session.failed("reading its binlog", e);
        }
    }

    private static void requireOpen(SqlSession session, BinlogStream stream) {
        StreamEnd end = stream.end().orElse(null);
        if (end instanceof StreamEnd.Refused refused) {
            throw session.unfit(
                    ErrorCode.SHARD_POSITION_PURGED,
                    "expected its binlogs since the last cut, found "
                            + refused.error().getMessage());
        }
        if (end != null) {
            throw session.unfit(ErrorCode.SHARD_UNREACHABLE, "expected more events of its binlog, found " + end);
        }
    }

    @Override
    public boolean event(ByteBuffer view, int at, int length) {
        read(view, at, ends.of(view, at, length));
        return true;
    }

    private void read(ByteBuffer view, int at, int end) {
        int type = EventHeader.type(view, at);
        switch (EventType.category(type)) {
            case GTID -> gtid(view, at, end, type);
            case STATEMENT -> statement(view, at, end);
            case TABLE_MAP -> tableMap(view, at, end);
            case ROWS -> rows(view, at, end);
            case COMMIT -> ended(End.COMMITTED, null, "");
            case XA_PREPARE -> {
                XaPrepareEvent.check(view, at, end);
                boolean isOnePhase = XaPrepareEvent.isOnePhase(view, at);
                ended(isOnePhase ? End.COMMITTED : End.PREPARED, XaPrepareEvent.xid(view, at), "");
            }
            case TRANSACTION_PAYLOAD -> {
                TransactionPayloadEvent.check(view, at, end);
                unpacker.unpack(view, at, end, Integer.MAX_VALUE, this::read);
            }
            case FORMAT_DESCRIPTION, ROTATE -> tables.clear();
            case HEARTBEAT, IGNORED, ROWS_QUERY, STATEMENT_CONTEXT -> {}
            default ->
                throw new TributaryException(
                        ErrorCode.EVENT_UNKNOWN,
                        "expected transactions of rows with GTIDs, found " + EventType.name(type));
        }
    }

    private void gtid(ByteBuffer view, int at, int end, int type) {
        if (type == EventType.GTID_TAGGED_LOG_EVENT) {
            GtidTaggedLogEvent.check(view, at, end);
            sid = GtidTaggedLogEvent.sid(view, at, end, sid);
            gtid = new Gtid(sid, GtidTaggedLogEvent.gno(view, at, end));
        } else {
            GtidEvent.check(view, at, end);
            sid = GtidEvent.sid(view, at, sid);
            gtid = new Gtid(sid, GtidEvent.gno(view, at));
        }
        hasBegun = false;
    }

    private void statement(ByteBuffer view, int at, int end) {
        QueryEvent.check(view, at, end);
        if (QueryEvent.textIs(view, at, end, "BEGIN")) {
            hasBegun = true;
        } else if (QueryEvent.textIs(view, at, end, "COMMIT")) {
            ended(End.COMMITTED, null, "");
        } else if (XaStatement.isOne(view, at, end)) {
            XaStatement xa = XaStatement.parse(view, at, end);
            switch (xa.verb()) {
                case START -> hasBegun = true;
                case COMMIT, ROLLBACK -> ended(End.BRANCH_ENDED, xa.xid(), "");
                case END, PREPARE -> {}
            }
        } else if (!hasBegun) {
            ended(End.STATEMENT, null, QueryEvent.text(view, at, end));
        } else if (HARMLESS.stream().noneMatch(text -> QueryEvent.textStartsWith(view, at, end, text))) {
            throw new TributaryException(
                    ErrorCode.STATEMENT_FORMAT, "transaction " + gtid + ": expected rows, found a statement");
        }
    }

    private void ended(End end, Xid xid, String text) {
        listener.ended(gtid, end, xid, text);
        seen.add(gtid);
    }

    private void tableMap(ByteBuffer view, int at, int end) {
        TableMapEvent.check(view, at, end);
        TableName name = new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        int[] key = keys.apply(name);
        if (key == null) {
            tables.remove(TableMapEvent.tableId(view, at));
            return;
        }
        RowImages images = new RowImages(TableShape.of(view, at, end));
        tables.put(TableMapEvent.tableId(view, at), new MappedTable(name, images, key, new int[images.columns() + 1]));
    }

    private void rows(ByteBuffer view, int at, int end) {
        RowsEvent.check(view, at, end);
        MappedTable table = tables.get(RowsEvent.tableId(view, at));
        if (table == null) {
            return;
        }
        boolean isUpdate = RowsEvent.isUpdate(view, at);
        boolean isBefore = isUpdate || RowsEvent.isDelete(view, at);
        for (int from = RowsEvent.rowsAt(view, at); from < end; ) {
            int next = table.images().end(view, from, end, table.places());
            listener.row(table.name(), key(view, table), isBefore);
            from = next;
            if (isUpdate && from < end) {
                next = table.images().end(view, from, end, table.places());
                listener.row(table.name(), key(view, table), false);
                from = next;
            }
        }
    }

    private static ByteBuffer key(ByteBuffer view, MappedTable table) {
        int length = 0;
        for (int column : table.key()) {
            length += table.places()[column + 1] - table.places()[column];
        }
        byte[] bytes = new byte[length];
        int to = 0;
        for (int column : table.key()) {
            int from = table.places()[column];
            int size = table.places()[column + 1] - from;
            view.get(from, bytes, to, size);
            to += size;
        }
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public void close() {
        unpacker.close();
    }
}
