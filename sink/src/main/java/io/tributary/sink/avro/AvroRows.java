package io.tributary.sink.avro;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;

/** Writes the rows of a table in Confluent's envelope: a byte 0, the id of the schema in 4 bytes, the highest first, and the record. */
final class AvroRows implements RowFormat {
    /** The operation of the extension, as strings of one character. */
    private static final int CREATE = 'c';

    private static final int UPDATE = 'u';
    private static final int READ = 'r';

    private final AvroOutput bytes = new AvroOutput();
    private final AvroRecord key;
    private final AvroRecord value;
    private final boolean isExtended;

    /** The id of a schema, and the columns of its record. */
    record AvroRecord(int id, AvroColumn[] columns) {}

    AvroRows(AvroRecord key, AvroRecord value, boolean isExtended) {
        this.key = key;
        this.value = value;
        this.isExtended = isExtended;
    }

    @Override
    public boolean key(ByteBuf out, RowChange row) {
        write(key, row.newest());
        bytes.appendTo(out);
        return true;
    }

    @Override
    public boolean value(ByteBuf out, RowChange row, RowPlace place) {
        if (row.operation() == Operation.DELETE) {
            return false;
        }
        write(value, row.after());
        if (isExtended) {
            bytes.integer(1);
            bytes.octet(place.isSnapshot() ? READ : row.operation() == Operation.UPDATE ? UPDATE : CREATE);
            bytes.integer(place.transaction().gtid().gno());
            bytes.integer(place.committedMillis());
        }
        bytes.appendTo(out);
        return true;
    }

    private void write(AvroRecord of, RowImage image) {
        bytes.clear();
        bytes.octet(0);
        bytes.big(of.id, Integer.BYTES);
        for (AvroColumn column : of.columns) {
            column.append(bytes, image);
        }
    }
}
