package io.tributary.testkit.check;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decodes rows events with their table maps (MySQL source documentation, class Rows_event). */
final class RowsDecoder {
    private static final int PARTIAL_JSON = 1;

    private final Map<Long, TableShape> tables = new HashMap<>();

    /** Forgets all table maps: they are valid within one transaction only. */
    void forgetTables() {
        tables.clear();
    }

    void tableMap(BinlogEvent event) {
        ByteBuffer body = event.body();
        tables.put(tableId(body), TableShape.parse(body));
    }

    List<RowChange> rows(BinlogEvent event) throws BinlogDamage {
        ByteBuffer body = event.body();
        TableShape table = tables.get(tableId(body));
        if (table == null) {
            throw new BinlogDamage(
                    event.file(), event.offset(), "rows of table id " + tableId(body) + " without its map");
        }
        int type = event.type();
        body.position(8);
        if (type >= BinlogEvent.WRITE_ROWS) {
            body.position(8 + (body.getShort(8) & 0xFFFF));
        }
        int columns = (int) Packed.read(body);
        if (columns != table.columns()) {
            throw new BinlogDamage(
                    event.file(), event.offset(), columns + " columns, its table map has " + table.columns());
        }
        BitSet first = bits(body, columns);
        boolean update = type == BinlogEvent.UPDATE_ROWS
                || type == BinlogEvent.UPDATE_ROWS_V1
                || type == BinlogEvent.PARTIAL_UPDATE_ROWS;
        BitSet second = update ? bits(body, columns) : first;
        boolean insert = type == BinlogEvent.WRITE_ROWS || type == BinlogEvent.WRITE_ROWS_V1;
        List<RowChange> changes = new ArrayList<>();
        while (body.hasRemaining()) {
            Row before = insert ? null : image(table, body, first, false);
            Row after = insert || update ? image(table, body, second, type == BinlogEvent.PARTIAL_UPDATE_ROWS) : null;
            changes.add(new RowChange(table.schema(), table.table(), table.key(), before, after));
        }
        return changes;
    }

    private static Row image(TableShape table, ByteBuffer body, BitSet present, boolean maybePartial) {
        boolean partial = maybePartial && (Packed.read(body) & PARTIAL_JSON) != 0;
        BitSet differences = new BitSet();
        if (partial) {
            int json = (int) present.stream().filter(table::isJson).count();
            differences = bits(body, json);
        }
        BitSet nulls = bits(body, present.cardinality());
        Row row = new Row(table.columns());
        int shown = 0;
        int json = 0;
        for (int column = present.nextSetBit(0); column >= 0; column = present.nextSetBit(column + 1)) {
            boolean difference = table.isJson(column) && differences.get(json++);
            if (!nulls.get(shown++)) {
                int at = body.position();
                int length = table.length(column, body, at);
                byte[] value = null;
                if (length <= Row.LONGEST_KEPT) {
                    value = new byte[length];
                    body.get(at, value);
                }
                row.set(column, Hash.of(body, at, length), value);
                body.position(at + length);
            }
            if (difference) {
                row.markDifference(column);
            }
        }
        return row;
    }

    private static BitSet bits(ByteBuffer body, int count) {
        byte[] bytes = new byte[(count + 7) / 8];
        body.get(bytes);
        BitSet bits = BitSet.valueOf(bytes);
        bits.clear(count, 8 * bytes.length); // the last byte may be padded with ones
        return bits;
    }

    private static long tableId(ByteBuffer body) {
        return (body.getInt(0) & 0xFFFFFFFFL) | (body.getShort(4) & 0xFFFFL) << 32;
    }
}
