package io.tributary.bench.sink;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.changes.StoredMoment;
import java.nio.ByteBuffer;
import java.util.List;

/** Decodes rows into nothing. For one thread. */
final class DecodeLoop {
    private final RowChange change = new RowChange();
    private final StoredMoment moment = new StoredMoment();
    private final ByteBuf text = Unpooled.buffer(1 << 16);
    private final boolean asText;

    /** @param asText whether each value is written as text; else it is read as a number or as bytes, only a DECIMAL is written */
    DecodeLoop(boolean asText) {
        this.asText = asText;
    }

    /** Decodes the rows of some of the events; returns a sum of all values. */
    long decode(ChangeTable table, List<ByteBuffer> events, int from, int step) {
        long sum = 0;
        List<ChangeColumn> columns = table.columns();
        for (int i = from; i < events.size(); i += step) {
            ByteBuffer event = events.get(i);
            change.begin(table, event, 0, event.limit());
            while (change.next()) {
                RowImage row = change.after();
                text.clear();
                for (int c = 0; c < columns.size(); c++) {
                    ChangeColumn column = columns.get(c);
                    if (!column.isNull(row)) {
                        sum += asText ? text(column, row) : value(column, row);
                    }
                }
                sum += text.writerIndex();
            }
        }
        return sum;
    }

    private long text(ChangeColumn column, RowImage row) {
        column.appendText(text, row);
        return 1;
    }

    private long value(ChangeColumn column, RowImage row) {
        return switch (column.kind()) {
            case INTEGER, BIT, YEAR, ENUM, SET -> column.integer(row);
            case FLOAT, DOUBLE -> (long) column.real(row);
            case DATE, TIME, DATETIME, TIMESTAMP -> {
                moment.read(column, row);
                yield moment.micros();
            }
            case DECIMAL -> text(column, row);
            default -> row.view().get(column.at(row)) + column.length(row);
        };
    }
}
