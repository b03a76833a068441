package io.tributary.bench.sink;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.changes.StoredMoment;
import java.util.List;

/** Decodes rows into nothing. For one thread. */
final class DecodeLoop {
    private static final int LARGEST = 1 << 16;

    private final RowChange change = new RowChange();
    private final StoredMoment moment = new StoredMoment();
    private final ByteBuf text = Unpooled.buffer(LARGEST);
    private final boolean asText;

    /** @param asText whether each value is written as text; else it is read as a number or found as bytes, and only a DECIMAL is written */
    DecodeLoop(boolean asText) {
        this.asText = asText;
    }

    /** Decodes the rows of every {@code step}th event; returns their number. */
    long decode(List<WideRows.Event> events, int from, int step) {
        long rows = 0;
        long sum = 0;
        for (int i = from; i < events.size(); i += step) {
            WideRows.Event event = events.get(i);
            change.begin(event.table(), event.bytes(), 0, event.bytes().capacity());
            while (change.next()) {
                rows++;
                text.clear();
                sum += row(event.table().columns(), change.after());
            }
        }
        if (sum == 0) {
            throw new IllegalStateException("expected values in " + rows + " rows, found none");
        }
        return rows;
    }

    private long row(List<ChangeColumn> columns, RowImage image) {
        long sum = 0;
        for (int i = 0; i < columns.size(); i++) {
            ChangeColumn column = columns.get(i);
            if (!column.isNull(image)) {
                sum += asText ? text(column, image) : value(column, image);
            }
        }
        return sum;
    }

    private long text(ChangeColumn column, RowImage image) {
        long before = text.writerIndex();
        column.appendText(text, image);
        return text.writerIndex() - before;
    }

    private long value(ChangeColumn column, RowImage image) {
        return switch (column.kind()) {
            case INTEGER, BIT, YEAR, ENUM, SET -> column.integer(image);
            case FLOAT, DOUBLE -> (long) column.real(image);
            case DATE, TIME, DATETIME, TIMESTAMP -> {
                moment.read(column, image);
                yield moment.micros();
            }
            case DECIMAL -> text(column, image);
            default -> image.view().get(column.at(image)) + column.length(image);
        };
    }
}
