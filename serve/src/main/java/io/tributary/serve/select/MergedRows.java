package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/** The rows of several streams as one. On one event loop. */
final class MergedRows {
    private final List<MemberStream> streams;
    private final List<SortKey> order;
    private final KeyWeights weights;
    private final PriorityQueue<Head> heads = new PriorityQueue<>(this::compare);
    private final List<MemberStream> headless; // with an order: the streams whose next row is not among the heads
    private final List<KeyColumn> keys = new ArrayList<>(); // known with the first row
    private MemberStream model; // the stream whose columns all others must have; null before the first row
    private int checked;

    /** A column by which rows are compared. */
    private record KeyColumn(int column, ValueOrder order, boolean isDescending) {}

    /** The next row of a stream, which is still there, and its keys. */
    private record Head(MemberStream stream, Object[] keys) {}

    /** @param order how each stream is ordered; empty: their rows are passed on in any order */
    MergedRows(List<MemberStream> streams, List<SortKey> order, KeyWeights weights) {
        this.streams = List.copyOf(streams);
        this.order = List.copyOf(order);
        this.weights = weights;
        this.headless = new ArrayList<>(order.isEmpty() ? List.of() : streams);
    }

    /** A stream whose columns are those of the rows; null while none is known. */
    MemberStream model() {
        if (model == null) {
            model = streams.stream()
                    .filter(MemberStream::hasColumns)
                    .findFirst()
                    .orElse(null);
        }
        return model;
    }

    boolean isAtEnd() {
        return streams.stream().allMatch(MemberStream::isAtEnd);
    }

    /**
     * Whether the next row is known: without an order, any row; else all streams have a row or are at their end.
     *
     * @throws SqlRefusal if the streams have different columns, or columns whose order is not known here
     */
    boolean hasNext() {
        if (order.isEmpty()) {
            return streams.stream().anyMatch(stream -> stream.peek() != null);
        }
        for (int i = headless.size() - 1; i >= 0; i--) {
            MemberStream stream = headless.get(i);
            if (stream.peek() != null) {
                check();
                heads.add(new Head(stream, keys(stream.peek())));
            } else if (!stream.isAtEnd()) {
                return false;
            }
            headless.remove(i);
        }
        return !heads.isEmpty();
    }

    /**
     * Removes the next row, which the caller releases; only after {@link #hasNext}.
     *
     * @throws SqlRefusal as {@link #hasNext}
     */
    HeldRow take() {
        check();
        if (order.isEmpty()) {
            return streams.stream()
                    .filter(stream -> stream.peek() != null)
                    .findFirst()
                    .orElseThrow()
                    .take();
        }
        MemberStream first = heads.remove().stream();
        headless.add(first);
        return first.take();
    }

    private void check() {
        if (checked == streams.size()) {
            return;
        }
        checked = 0;
        for (MemberStream stream : streams) {
            if (!stream.hasColumns()) {
                continue;
            }
            checked++;
            boolean isSame = stream.names().size() == model().names().size();
            for (int i = 0; isSame && i < stream.names().size(); i++) {
                isSame = stream.names().get(i).equalsIgnoreCase(model().names().get(i));
            }
            if (!isSame) {
                throw new SqlRefusal(
                        MysqlError.ER_UNKNOWN_ERROR,
                        "SELECT on tables: expected the same columns in all members of the table, found "
                                + model().names()
                                + " on shard " + model().shard() + " and " + stream.names() + " on shard "
                                + stream.shard());
            }
        }
    }

    private Object[] keys(ByteBuf row) {
        if (keys.isEmpty()) {
            for (SortKey key : order) {
                int column = keyColumn(SqlNames.name(key.column()), column(key.column()));
                ValueOrder values = ValueOrder.of(key.column(), model().types().get(column));
                keys.add(new KeyColumn(column, values, key.isDescending()));
            }
        }
        Object[] values = new Object[keys.size()];
        for (int i = 0; i < values.length; i++) {
            KeyColumn key = keys.get(i);
            values[i] = key.order().key(TextRow.value(row, key.column()));
        }
        return values;
    }

    private int compare(Head one, Head other) {
        int result = 0;
        for (int i = 0; result == 0 && i < keys.size(); i++) {
            int ascending = keys.get(i).order().compare(one.keys()[i], other.keys()[i]);
            result = keys.get(i).isDescending() ? -ascending : ascending;
        }
        return result;
    }

    /** Number of columns that are passed on. */
    int columns() {
        return model().names().size() - weights.count();
    }

    /**
     * The index of the column by which a key is compared: that of its weights if it has some.
     *
     * @param key the text of the key
     * @param column the index of its value
     */
    int keyColumn(String key, int column) {
        int weight = weights.indexOf(key);
        return weight < 0 ? column : columns() + weight;
    }

    /** The index of a column. */
    int column(String name) {
        MemberStream of = model();
        for (int i = 0; i < of.names().size(); i++) {
            if (of.names().get(i).equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw SqlRefusal.unsupported(
                "SELECT on tables: expected the column " + name + " among those of the SELECT, found " + of.names());
    }

    /** Asks again for memory for the rows that wait for it; returns whether there are some. */
    boolean retry() {
        boolean isShort = false;
        for (MemberStream stream : streams) {
            if (stream.lacksMemory()) {
                isShort = true;
                stream.resume();
            }
        }
        return isShort;
    }

    void discard() {
        streams.forEach(MemberStream::discard);
    }
}
