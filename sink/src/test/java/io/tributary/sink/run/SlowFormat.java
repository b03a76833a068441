package io.tributary.sink.run;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowChange;
import io.tributary.common.value.TableName;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.util.concurrent.locks.LockSupport;

/**
 * A protocol that needs time for each row.
 *
 * @param nanos for each row
 * @param last number of the last row of a snapshot for which it needs that time; the first row after it is not encoded until the thread is interrupted
 */
record SlowFormat(MessageFormat format, long nanos, long last) implements MessageFormat {
    SlowFormat(MessageFormat format, long nanos) {
        this(format, nanos, Long.MAX_VALUE);
    }

    @Override
    public RowFormat table(ChangeTable table, String topic) {
        RowFormat rows = format.table(table, topic);
        return new RowFormat() {
            @Override
            public boolean key(ByteBuf out, RowChange row) {
                return rows.key(out, row);
            }

            @Override
            public boolean value(ByteBuf out, RowChange row, RowPlace place) {
                LockSupport.parkNanos(nanos);
                while (place.isSnapshot()
                        && place.row() > last
                        && !Thread.currentThread().isInterrupted()) {
                    LockSupport.park();
                }
                return rows.value(out, row, place);
            }
        };
    }

    @Override
    public boolean hasStatements() {
        return false;
    }

    @Override
    public boolean statementKey(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        return false;
    }

    @Override
    public void statementValue(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {}

    @Override
    public boolean hasWatermarks() {
        return false;
    }

    @Override
    public boolean watermarkKey(ByteBuf out, RowPlace place) {
        return false;
    }

    @Override
    public void watermarkValue(ByteBuf out, RowPlace place) {}
}
