package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.schema.SqlText;
import io.tributary.serve.sql.SqlRefusal;
import java.util.Comparator;
import java.util.List;

/** The rows of several streams as one. On one event loop. */
final class MergedRows {
    private final List<MemberStream> streams;
    private final List<SortKey> order;
    private final KeyWeights weights;
    private MemberStream model; // the stream whose columns all others must have; null before the first row
    private Comparator<ByteBuf> comparator;
    private int checked;

    /** @param order how each stream is ordered; empty: their rows are passed on in any order */
    MergedRows(List<MemberStream> streams, List<SortKey> order, KeyWeights weights) {
        this.streams = List.copyOf(streams);
        this.order = List.copyOf(order);
        this.weights = weights;
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

    /** Whether the next row is known: without an order, any row; else all streams have a row or are at their end. */
    boolean hasNext() {
        boolean isKnown =
                order.isEmpty() || streams.stream().allMatch(stream -> stream.peek() != null || stream.isAtEnd());
        return isKnown && streams.stream().anyMatch(stream -> stream.peek() != null);
    }

    /**
     * Removes the next row, which the caller releases; only after {@link #hasNext}.
     *
     * @throws SqlRefusal if the streams have different columns, or columns whose order is not known here
     */
    ByteBuf take() {
        check();
        MemberStream first = null;
        for (MemberStream stream : streams) {
            boolean isBefore = stream.peek() != null
                    && (first == null || !order.isEmpty() && comparator().compare(stream.peek(), first.peek()) < 0);
            first = isBefore ? stream : first;
        }
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

    private Comparator<ByteBuf> comparator() {
        if (comparator == null) {
            for (SortKey key : order) {
                int column = keyColumn(SqlText.name(key.column()), column(key.column()));
                Comparator<byte[]> values =
                        ValueOrder.of(key.column(), model().types().get(column));
                Comparator<ByteBuf> rows = Comparator.comparing(row -> TextRow.value(row, column), values);
                Comparator<ByteBuf> directed = key.isDescending() ? rows.reversed() : rows;
                comparator = comparator == null ? directed : comparator.thenComparing(directed);
            }
        }
        return comparator;
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

    void discard() {
        streams.forEach(MemberStream::discard);
    }
}
