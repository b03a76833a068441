package io.tributary.collector;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Table map events as MySQL writes them. */
public final class TestMap {
    private TestMap() {}

    /** The whole event, with binlog_row_metadata=FULL. */
    public static ByteBuffer of(long tableId, TableName name, TableDefinition definition) {
        byte[] body = TableMap.body(definition, Metadata.FULL);
        byte[] schema = name.schema().getBytes(StandardCharsets.UTF_8);
        byte[] table = name.table().getBytes(StandardCharsets.UTF_8);
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 12 + schema.length + table.length + body.length);
        EventHeader.write(event, 0, new EventOrigin(1_700_000_000L, 77), EventType.TABLE_MAP_EVENT, event.capacity());
        LittleEndian.putU48(event, EventHeader.LENGTH, tableId);
        event.position(EventHeader.LENGTH + 8);
        event.put((byte) schema.length).put(schema).put((byte) 0);
        event.put((byte) table.length).put(table).put((byte) 0);
        event.put(body).flip();
        TableMapEvent.check(event, 0, event.limit());
        return event;
    }
}
