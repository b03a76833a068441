package io.tributary.schema.rows;

import io.tributary.mysql.event.OptionalMetadata;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Handmade table maps: of table d.t, all columns are nullable, numbers are signed. */
final class HandmadeMap {
    /**
     * A column.
     *
     * @param metadata as in the event
     * @param values of an ENUM
     */
    record Column(String name, int type, int[] metadata, List<String> values) {}

    private HandmadeMap() {}

    static Column column(String name, int type, int... metadata) {
        return new Column(name, type, metadata, List.of());
    }

    /** The event, from 0. */
    static ByteBuffer event(Column... columns) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {7, 0, 0, 0, 0, 0, 1, 0, 1, 'd', 0, 1, 't', 0, (byte) columns.length});
        ByteArrayOutputStream metadata = new ByteArrayOutputStream();
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (Column column : columns) {
            body.write(column.type());
            for (int one : column.metadata()) {
                metadata.write(one);
            }
            byte[] name = column.name().getBytes(StandardCharsets.UTF_8);
            names.write(name.length);
            names.writeBytes(name);
        }
        body.write(metadata.size());
        body.writeBytes(metadata.toByteArray());
        byte[] nulls = new byte[(columns.length + 7) / 8];
        java.util.Arrays.fill(nulls, (byte) 0xff);
        body.writeBytes(nulls);
        put(body, OptionalMetadata.SIGNEDNESS, new byte[nulls.length]);
        put(body, OptionalMetadata.DEFAULT_CHARSET, new byte[] {45});
        put(body, OptionalMetadata.COLUMN_NAME, names.toByteArray());
        return withHeader(19, body.toByteArray());
    }

    private static void put(ByteArrayOutputStream body, int field, byte[] value) {
        body.write(field);
        body.write(value.length);
        body.writeBytes(value);
    }

    static TableShape of(Column... columns) {
        ByteBuffer event = event(columns);
        TableMapEvent.check(event, 0, event.limit());
        return TableShape.of(event, 0, event.limit());
    }

    /** A rows event with flags 1, of this type and with these bytes after the flags. */
    static ByteBuffer rows(int type, int... behindFlags) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {7, 0, 0, 0, 0, 0, 1, 0});
        for (int one : behindFlags) {
            body.write(one);
        }
        return withHeader(type, body.toByteArray());
    }

    private static ByteBuffer withHeader(int type, byte[] body) {
        ByteBuffer event = ByteBuffer.allocate(19 + body.length);
        event.put(4, (byte) type);
        event.put(9, (byte) event.limit());
        event.put(10, (byte) (event.limit() >> 8));
        event.put(19, body);
        return event;
    }
}
