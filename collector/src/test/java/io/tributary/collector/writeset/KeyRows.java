package io.tributary.collector.writeset;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.keys.KeyPlan;
import io.tributary.schema.keys.KeyReader;
import io.tributary.schema.keys.TableKeys;
import io.tributary.schema.keys.WriteSets;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tables by their CREATE TABLE statements, and the hashes of rows events. */
public final class KeyRows implements TableKeys.Tables {
    static final String SCHEMA = "shop";
    private static final long TIME = 1_700_000_000L;

    private final Map<TableName, TableDefinition> tables = new LinkedHashMap<>();
    private final KeyReader reader = new KeyReader();

    KeyRows with(String create) {
        TableDefinition table = read(create);
        tables.put(table.name(), table);
        return this;
    }

    /** A table of schema shop. */
    public static TableName name(String table) {
        return new TableName(SCHEMA, table);
    }

    /** The name in CREATE TABLE. */
    public static TableName nameOf(String create) {
        return read(create).name();
    }

    TableKeys keys(String table) {
        return TableKeys.of(name(table), this);
    }

    /** The plan for a table map as a server writes it with this metadata. */
    KeyPlan plan(String table, Metadata metadata) {
        TableDefinition definition = tables.get(name(table));
        return KeyPlan.of(
                1,
                keys(table),
                Optional.of(definition),
                shape(definition, metadata),
                Optional.of(shape(definition, metadata)));
    }

    static TableShape shape(TableDefinition definition, Metadata metadata) {
        ByteBuffer map = map(definition, metadata);
        return TableShape.of(map, 0, map.limit());
    }

    private static ByteBuffer map(TableDefinition definition, Metadata metadata) {
        ByteBuffer like = ByteBuffer.allocate(EventHeader.LENGTH + 8);
        EventHeader.write(like, 0, new EventOrigin(TIME, 1), EventType.TABLE_MAP_EVENT, like.limit());
        TableMapEvent.setTableId(like, 0, 1);
        return TableMapEvent.withBody(
                like,
                0,
                SCHEMA.getBytes(StandardCharsets.UTF_8),
                definition.name().table().getBytes(StandardCharsets.UTF_8),
                TableMap.body(definition, metadata));
    }

    /** The table map with id 1 of a table in schema shop. */
    public static ByteBuffer map(String create) {
        return map(read(create), Metadata.FULL);
    }

    private static TableDefinition read(String create) {
        return DefinitionReader.create(create, ReadSession.standard(SCHEMA), other -> Optional.empty())
                .orElseThrow(() -> new IllegalArgumentException(create));
    }

    /** The keys of one row; each value is its bytes in the row with the length before it, or null. */
    List<Long> keys(String table, byte[]... row) {
        KeyPlan plan = plan(table, Metadata.FULL);
        ByteBuffer event = event(EventType.WRITE_ROWS_EVENT, row.length, image(row));
        return read(plan, event).orElseThrow();
    }

    /** The keys in events of one transaction; empty if they are not known. */
    Optional<List<Long>> read(KeyPlan plan, ByteBuffer events) {
        WriteSets sets = new WriteSets();
        reader.read(new KeyPlan[] {plan}, 1, events, 0, events.limit(), sets);
        if (!sets.isKnown(0)) {
            return Optional.empty();
        }
        List<Long> keys = new ArrayList<>();
        for (int i = sets.from(0); i < sets.end(0); i++) {
            keys.add(sets.key(i));
        }
        return Optional.of(keys);
    }

    /** The bytes of a row with all columns. */
    public static byte[] image(byte[]... row) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] nulls = new byte[(row.length + 7) / 8];
        for (int i = 0; i < row.length; i++) {
            nulls[i / 8] |= (byte) (row[i] == null ? 1 << i % 8 : 0);
        }
        out.writeBytes(nulls);
        Arrays.stream(row).filter(value -> value != null).forEach(out::writeBytes);
        return out.toByteArray();
    }

    /** A rows event with images that have all columns. */
    public static ByteBuffer event(int type, int columns, byte[]... images) {
        int bitmap = (columns + 7) / 8;
        int bitmaps = type == EventType.UPDATE_ROWS_EVENT ? 2 * bitmap : bitmap;
        int rows = Arrays.stream(images).mapToInt(image -> image.length).sum();
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 11 + bitmaps + rows);
        EventHeader.write(event, 0, new EventOrigin(TIME, 1), type, event.limit());
        TableMapEvent.setTableId(event, 0, 1);
        LittleEndian.putU16(event, EventHeader.LENGTH + 6, 1);
        LittleEndian.putU16(event, EventHeader.LENGTH + 8, 2);
        LittleEndian.putU8(event, EventHeader.LENGTH + 10, columns);
        int at = EventHeader.LENGTH + 11;
        for (int i = 0; i < bitmaps; i++) {
            event.put(at++, (byte) -1);
        }
        for (byte[] image : images) {
            event.put(at, image);
            at += image.length;
        }
        return event;
    }

    public static byte[] integer(int value) {
        return ByteBuffer.allocate(4).putInt(Integer.reverseBytes(value)).array();
    }

    /** A text of at most 255 bytes. */
    public static byte[] text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] bytes(byte[] value) {
        byte[] all = new byte[value.length + 1];
        all[0] = (byte) value.length;
        System.arraycopy(value, 0, all, 1, value.length);
        return all;
    }

    @Override
    public Optional<TableDefinition> definition(TableName table) {
        return Optional.ofNullable(tables.get(table));
    }

    @Override
    public Collection<TableDefinition> referencing(TableName table) {
        return tables.values().stream()
                .filter(each -> each.foreignKeys().stream()
                        .anyMatch(key -> key.referenced().equals(table)))
                .toList();
    }

    @Override
    public Collection<TableKey> extraKeys(TableName table) {
        return List.of();
    }
}
