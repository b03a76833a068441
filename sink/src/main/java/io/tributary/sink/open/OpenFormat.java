package io.tributary.sink.open;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.common.value.TableName;
import io.tributary.replay.row.JsonString;
import io.tributary.sink.message.DdlAction;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;

/**
 * TiCDC's open-protocol, version 1 (TiCDC manual, "TiCDC Open Protocol"), one event in each message. An UPDATE has the row before it. Statements and
 * watermarks are for all partitions. Bytes of BINARY and VARBINARY are escaped as in Go, those of BLOB and the characters of TEXT types are in Base64; GEOMETRY,
 * which TiCDC does not have, is in Base64 with type 255.
 */
public final class OpenFormat implements MessageFormat {
    @Override
    public RowFormat table(ChangeTable table, String topic) {
        return new OpenRows(table);
    }

    @Override
    public boolean hasStatements() {
        return true;
    }

    @Override
    public boolean statementKey(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        OpenEvent.key(out, place, table, OpenEvent.DDL);
        return true;
    }

    @Override
    public void statementValue(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        int from = OpenEvent.beginPart(out);
        ByteBufUtil.writeAscii(out, "{\"q\":");
        JsonString.quoted(out, statement.text());
        ByteBufUtil.writeAscii(out, ",\"t\":");
        ByteBufUtil.writeAscii(out, Integer.toString(DdlAction.of(statement).code()));
        out.writeByte('}');
        OpenEvent.endPart(out, from);
    }

    @Override
    public boolean hasWatermarks() {
        return true;
    }

    @Override
    public boolean watermarkKey(ByteBuf out, RowPlace place) {
        OpenEvent.resolvedKey(out, place);
        return true;
    }

    @Override
    public void watermarkValue(ByteBuf out, RowPlace place) {
        OpenEvent.endPart(out, OpenEvent.beginPart(out));
    }
}
