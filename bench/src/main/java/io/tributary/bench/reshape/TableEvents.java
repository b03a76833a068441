package io.tributary.bench.reshape;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.OptionalMetadata;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Builds table maps, and a rows event with ten columns: numbers, texts, a date, a time. */
final class TableEvents {
    static final int ROWS = 64;
    private static final int LATIN1 = 8;
    private static final int UTF8MB4 = 255;
    private static final byte[] ROW = row();

    /**
     * A column.
     *
     * @param collation 0 for none
     * @param metadata in the form of the event
     */
    record Column(String name, int type, int collation, int... metadata) {}

    /** The columns of {@link #rows}. */
    static final List<Column> SOURCE = List.of(
            new Column("id", ColumnType.MYSQL_TYPE_LONGLONG, 0),
            new Column("customer", ColumnType.MYSQL_TYPE_LONG, 0),
            new Column("name", ColumnType.MYSQL_TYPE_VARCHAR, LATIN1, 60, 0),
            new Column("city", ColumnType.MYSQL_TYPE_VARCHAR, UTF8MB4, 160, 0),
            new Column("price", ColumnType.MYSQL_TYPE_NEWDECIMAL, 0, 10, 2),
            new Column("amount", ColumnType.MYSQL_TYPE_LONG, 0),
            new Column("state", ColumnType.MYSQL_TYPE_TINY, 0),
            new Column("made", ColumnType.MYSQL_TYPE_DATETIME2, 0, 0),
            new Column("note", ColumnType.MYSQL_TYPE_VARCHAR, UTF8MB4, 0x90, 1),
            new Column("day", ColumnType.MYSQL_TYPE_DATE, 0));

    /** One more column before the last; all others are copied. */
    static final List<Column> LONGER = with(SOURCE, 9, new Column("added", ColumnType.MYSQL_TYPE_LONG, 0), false);

    /** Five columns have other types. */
    static final List<Column> CONVERTED = with(
            with(
                    with(
                            with(
                                    with(SOURCE, 1, new Column("customer", ColumnType.MYSQL_TYPE_LONGLONG, 0), true),
                                    2,
                                    new Column("name", ColumnType.MYSQL_TYPE_VARCHAR, UTF8MB4, 240, 0),
                                    true),
                            3,
                            new Column("city", ColumnType.MYSQL_TYPE_VARCHAR, UTF8MB4, 0x90, 1),
                            true),
                    4,
                    new Column("price", ColumnType.MYSQL_TYPE_NEWDECIMAL, 0, 20, 4),
                    true),
            7,
            new Column("made", ColumnType.MYSQL_TYPE_DATETIME2, 0, 3),
            true);

    private TableEvents() {}

    private static List<Column> with(List<Column> columns, int at, Column column, boolean replaces) {
        List<Column> changed = new java.util.ArrayList<>(columns);
        if (replaces) {
            changed.set(at, column);
        } else {
            changed.add(at, column);
        }
        return List.copyOf(changed);
    }

    static TableShape shape(List<Column> columns) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {7, 0, 0, 0, 0, 0, 1, 0, 1, 'd', 0, 1, 't', 0, (byte) columns.size()});
        ByteArrayOutputStream metadata = new ByteArrayOutputStream();
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        ByteArrayOutputStream collations = new ByteArrayOutputStream();
        for (Column column : columns) {
            body.write(column.type());
            for (int one : column.metadata()) {
                metadata.write(one);
            }
            if (column.collation() == UTF8MB4) {
                collations.writeBytes(new byte[] {(byte) 252, (byte) UTF8MB4, 0});
            } else if (column.collation() != 0) {
                collations.write(column.collation());
            }
            byte[] name = column.name().getBytes(StandardCharsets.UTF_8);
            names.write(name.length);
            names.writeBytes(name);
        }
        body.write(metadata.size());
        body.writeBytes(metadata.toByteArray());
        body.writeBytes(new byte[] {(byte) 0xff, (byte) 0xff});
        put(body, OptionalMetadata.SIGNEDNESS, new byte[2]);
        put(body, OptionalMetadata.COLUMN_CHARSET, collations.toByteArray());
        put(body, OptionalMetadata.COLUMN_NAME, names.toByteArray());
        ByteBuffer event = withHeader(EventType.TABLE_MAP_EVENT, body.toByteArray());
        TableMapEvent.check(event, 0, event.limit());
        return TableShape.of(event, 0, event.limit());
    }

    private static void put(ByteArrayOutputStream body, int field, byte[] value) {
        body.write(field);
        body.write(value.length);
        body.writeBytes(value);
    }

    /** Rows of {@link #SOURCE}. */
    static ByteBuffer rows() {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {7, 0, 0, 0, 0, 0, 1, 0, 2, 0, 10, (byte) 0xff, (byte) 0xff});
        for (int i = 0; i < ROWS; i++) {
            body.writeBytes(ROW);
        }
        return withHeader(EventType.WRITE_ROWS_EVENT, body.toByteArray());
    }

    private static byte[] row() {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        row.writeBytes(new byte[] {0, 0});
        row.writeBytes(new byte[] {1, 2, 3, 0, 0, 0, 0, 0});
        row.writeBytes(new byte[] {9, 8, 7, 0});
        text(row, 1, "Johanna Example");
        text(row, 1, "Amsterdam");
        row.writeBytes(new byte[] {(byte) 0x80, 0, 4, (byte) 0xd2, 42});
        row.writeBytes(new byte[] {3, 0, 0, 0});
        row.write(1);
        row.writeBytes(new byte[] {(byte) 0x99, (byte) 0xa5, 0x62, 0x51, 0x23});
        text(row, 2, "a note of some forty characters in length");
        row.writeBytes(new byte[] {0x21, (byte) 0xc8, 0x0f});
        return row.toByteArray();
    }

    private static void text(ByteArrayOutputStream row, int prefix, String text) {
        row.write(text.length());
        row.writeBytes(new byte[prefix - 1]);
        row.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static ByteBuffer withHeader(int type, byte[] body) {
        ByteBuffer event = ByteBuffer.allocateDirect(EventHeader.LENGTH + body.length);
        EventHeader.setType(event, 0, type);
        EventHeader.setSize(event, 0, event.limit());
        event.put(EventHeader.LENGTH, body);
        return event;
    }
}
