package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.RowStream;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.select.TableSelect.Item;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads the members of a table and passes their rows to the client, in slices: between them the event loop serves its other connections. On the
 * event loop of the session.
 */
final class RowTransfer {
    private static final int SLICE_ROWS = 256;
    private static final int SLICE_BYTES = 256 << 10;
    private static final int LONGEST_STATEMENT = 4 << 20;

    private final Session session;
    private final EventLoop loop;
    private final TableSelect select;
    private final MemberSearch found;
    private final SelectMemory memory;
    private final Listener listener;
    private final List<Aggregate> aggregates = new ArrayList<>();
    private MergedRows rows; // of the streams that are read now; null before the start
    private int nextMember;
    private long left;
    private RowStream out;
    private boolean hasMoved;
    private boolean isScheduled;
    private boolean hasEnded; // no more rows are passed on

    /** What happens during a transfer. */
    interface Listener {
        /** All rows were added to the answer, which must still be ended. */
        void complete();

        void failed(Throwable failure);
    }

    RowTransfer(Session session, TableSelect select, MemberSearch found, SelectMemory memory, Listener listener) {
        this.session = session;
        this.loop = session.loop();
        this.select = select;
        this.found = found;
        this.memory = memory;
        this.listener = listener;
        this.left = select.inner().limit().orElse(Long.MAX_VALUE);
    }

    private boolean isAggregated() {
        return found.members().size() > 1 && select.inner().isAggregate();
    }

    private boolean isOrdered() {
        return found.members().size() > 1 && !select.inner().order().isEmpty();
    }

    /** How many streams are read at a time. */
    int streams() {
        return isOrdered() ? byShard().size() : 1;
    }

    private Map<SelectConnection, List<TableName>> byShard() {
        return found.members().stream()
                .collect(Collectors.groupingBy(
                        MemberTable::shard, Collectors.mapping(MemberTable::physical, Collectors.toList())));
    }

    /**
     * Begins to read.
     *
     * @throws SqlRefusal if the members cannot be read together
     */
    void begin() {
        if (isAggregated()) {
            select.inner().items().forEach(item -> aggregates.add(new Aggregate(item)));
            left = Long.MAX_VALUE;
            readNext();
        } else if (isOrdered()) {
            select.outer().forEach(item -> aggregates.add(new Aggregate(item)));
            readOrdered();
        } else {
            left = found.members().size() == 1 ? Long.MAX_VALUE : left;
            readNext();
        }
    }

    /** Reads the members one after another. */
    private void readNext() {
        MemberTable member = found.members().get(nextMember++);
        String sql = found.members().size() == 1
                ? select.whole(member.physical())
                : select.inner().sql(member.physical(), found.weights());
        MemberStream stream = new MemberStream(member.shard(), memory, this::arrived);
        List<MemberStream> streams = rows == null ? List.of(stream) : List.of(rows.model(), stream);
        rows = new MergedRows(streams, List.of(), found.weights());
        readFrom(stream, member.shard(), sql);
    }

    /** Reads the members of all shards at the same time, those of one shard by one statement. */
    private void readOrdered() {
        select.inner().hiddenKey().ifPresent(column -> {
            throw SqlRefusal.unsupported(
                    "SELECT on tables: expected the columns of ORDER BY among those of the result of a"
                            + " table with several members, found column " + column);
        });
        nextMember = found.members().size();
        Map<SelectConnection, List<TableName>> byShard = byShard();
        requireShort(byShard.values());
        Map<MemberStream, SelectConnection> streams = new HashMap<>();
        byShard.keySet().forEach(shard -> streams.put(new MemberStream(shard, memory, this::arrived), shard));
        rows = new MergedRows(List.copyOf(streams.keySet()), select.inner().order(), found.weights());
        streams.forEach(
                (stream, shard) -> readFrom(stream, shard, select.inner().union(byShard.get(shard), found.weights())));
    }

    /** The condition is repeated for each member, and the statements for all shards are in memory together. */
    private void requireShort(Collection<List<TableName>> byShard) {
        long length = 0;
        int members = 0;
        for (List<TableName> each : byShard) {
            length += (long) each.size()
                    * select.inner().sql(each.get(0), found.weights()).length();
            members += each.size();
        }
        if (length > LONGEST_STATEMENT) {
            throw SqlRefusal.unsupported("SELECT on tables: expected statements of at most " + LONGEST_STATEMENT
                    + " characters for all members of the table, found " + length + ": " + members + " members");
        }
    }

    private void readFrom(MemberStream stream, SelectConnection shard, String sql) {
        var unused = shard.stream(sql, stream).whenComplete((done, failure) -> {
            if (failure == null) {
                stream.done();
            } else {
                listener.failed(failure);
            }
        });
    }

    private void arrived() {
        hasMoved = true;
        wake();
    }

    private void wake() {
        if (!isScheduled && !hasEnded) {
            isScheduled = true;
            loop.execute(this::slice);
        }
    }

    /** Passes on some rows, if there are some and the client receives them. */
    private void slice() {
        isScheduled = false;
        if (hasEnded) {
            return;
        }
        try {
            int count = 0;
            long bytes = 0;
            boolean isFull = false;
            while (!isFull && left > 0 && rows.hasNext() && (out == null || out.hasRoom())) {
                bytes += pass();
                isFull = ++count >= SLICE_ROWS || bytes >= SLICE_BYTES;
            }
            hasMoved |= count > 0;
            if (out != null) {
                out.flush();
            }
            if (left == 0 && rows.model() != null
                    || rows.isAtEnd() && nextMember == found.members().size()) {
                complete();
            } else if (rows.isAtEnd()) {
                readNext();
            } else if (isFull) {
                wake();
            }
        } catch (RuntimeException e) { // reported to the client
            listener.failed(e);
        } catch (OutOfMemoryError e) { // of direct memory: a row was taken, and perhaps a part of it was added
            if (out != null) {
                out.abort();
            }
            listener.failed(e);
        }
    }

    /** Passes on one row; returns its length in bytes. */
    private int pass() {
        HeldRow row = rows.take();
        try {
            accept(row);
            return row.bytes().readableBytes();
        } finally {
            row.release();
        }
    }

    private void accept(HeldRow held) {
        ByteBuf row = held.bytes();
        left--;
        if (aggregates.isEmpty()) {
            sendColumns();
            held.addTo(out, found.weights().count() == 0 ? row : TextRow.first(row, rows.columns()));
            return;
        }
        for (int i = 0; i < aggregates.size(); i++) {
            boolean isNested = !select.outer().isEmpty();
            Item item =
                    isNested ? select.outer().get(i) : select.inner().items().get(i);
            int column = isNested ? rows.column(item.argument()) : i;
            int key = rows.keyColumn(isNested ? SqlNames.name(item.argument()) : item.sql(), column);
            aggregates
                    .get(i)
                    .add(
                            TextRow.value(row, column),
                            TextRow.value(row, key),
                            rows.model().types().get(key));
        }
    }

    /** Sends the columns. */
    private void sendColumns() {
        if (out != null) {
            return;
        }
        List<ResultSet.Column> columns = new ArrayList<>();
        for (int i = 0; i < rows.columns(); i++) {
            columns.add(new ResultSet.Column(
                    rows.model().names().get(i), rows.model().types().get(i)));
        }
        sendColumns(columns);
    }

    private void sendColumns(List<ResultSet.Column> columns) {
        out = session.stream(columns);
        out.onRoom(this::arrived);
    }

    private void sendAggregateColumns() {
        List<ResultSet.Column> columns = new ArrayList<>();
        for (Item item : select.outer()) {
            ResultColumnType type = rows.model().types().get(rows.column(item.argument()));
            columns.add(new ResultSet.Column(item.sql(), type));
        }
        sendColumns(columns);
    }

    private void complete() {
        hasEnded = true;
        if (!select.outer().isEmpty() && !aggregates.isEmpty()) {
            sendAggregateColumns();
        } else {
            sendColumns();
        }
        if (!aggregates.isEmpty()) {
            ByteBuf row = TextRow.of(aggregates.stream().map(Aggregate::value).toArray(byte[][]::new));
            try {
                out.row(row);
            } finally {
                row.release();
            }
        }
        rows.discard();
        listener.complete();
    }

    /** Whether rows have arrived or were passed on since the last call. Rows that wait for memory ask for it again. */
    boolean hasMoved() {
        boolean moved = hasMoved;
        hasMoved = false;
        return moved;
    }

    /** Asks again for memory for rows that wait for it; returns whether there are some. */
    boolean lacksMemory() {
        return rows != null && rows.retry();
    }

    /** Whether the client does not read what was sent. */
    boolean awaitsClient() {
        return out != null && !out.hasRoom();
    }

    /** Ends the complete answer. */
    void end() {
        out.end();
    }

    /** Ends the answer with an error. */
    void fail(ErrPacket error) {
        if (out == null) {
            session.err(error);
        } else {
            out.fail(error);
        }
    }

    /** Passes on no more rows, and drops those that are left. */
    void stop() {
        hasEnded = true;
        if (rows != null) {
            rows.discard();
        }
    }
}
