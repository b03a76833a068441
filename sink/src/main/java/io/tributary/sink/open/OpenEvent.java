package io.tributary.sink.open;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.common.value.TableName;
import io.tributary.replay.row.JsonString;
import io.tributary.sink.message.RowPlace;

/**
 * Writes the keys of events: a version, then a length and JSON for each event, of which a message of ours has one. {@code ts} is the number of the
 * transaction in the global order.
 */
final class OpenEvent {
    static final int ROW = 1;
    static final int DDL = 2;
    static final int RESOLVED = 3;

    private static final long VERSION = 1;

    private OpenEvent() {}

    /** Appends the key of a row or a statement. */
    static void key(ByteBuf out, RowPlace place, TableName table, int kind) {
        int from = begin(out, place);
        names(out, table);
        end(out, from, kind);
    }

    /** Appends the key of a row with only the columns of the handle key, which names the location of the whole message if there is one. */
    static void handleKey(ByteBuf out, RowPlace place, TableName table, String location) {
        int from = begin(out, place);
        names(out, table);
        if (location.isEmpty()) {
            ByteBufUtil.writeAscii(out, ",\"ohk\":true");
        } else {
            ByteBufUtil.writeAscii(out, ",\"ccl\":");
            JsonString.quoted(out, location);
        }
        end(out, from, ROW);
    }

    /** Appends the key of a watermark. */
    static void resolvedKey(ByteBuf out, RowPlace place) {
        end(out, begin(out, place), RESOLVED);
    }

    private static int begin(ByteBuf out, RowPlace place) {
        out.writeLong(VERSION);
        int from = beginPart(out);
        ByteBufUtil.writeAscii(out, "{\"ts\":");
        ByteBufUtil.writeAscii(out, Long.toString(place.transaction().gtid().gno()));
        return from;
    }

    private static void names(ByteBuf out, TableName table) {
        ByteBufUtil.writeAscii(out, ",\"scm\":");
        JsonString.quoted(out, table.schema());
        ByteBufUtil.writeAscii(out, ",\"tbl\":");
        JsonString.quoted(out, table.table());
    }

    private static void end(ByteBuf out, int from, int kind) {
        ByteBufUtil.writeAscii(out, ",\"t\":");
        out.writeByte('0' + kind).writeByte('}');
        endPart(out, from);
    }

    /** Leaves room for the length of what is written next; returns what {@link #endPart} needs. */
    static int beginPart(ByteBuf out) {
        int from = out.writerIndex();
        out.writeLong(0);
        return from;
    }

    static void endPart(ByteBuf out, int from) {
        out.setLong(from, out.writerIndex() - from - Long.BYTES);
    }
}
