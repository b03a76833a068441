package io.tributary.testkit.check;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The table definition in a TABLE_MAP event (MySQL source documentation, class Table_map_event).
 *
 * @param types MySQL's type code of each column
 * @param metas each column's metadata, two bytes at most, the first one low
 * @param key the primary key's columns; empty if the event does not contain it or there is none
 */
record TableShape(String schema, String table, int[] types, int[] metas, List<Integer> key) {
    private static final int VARCHAR = 15;
    private static final int BIT = 16;
    private static final int JSON = 245;
    private static final int SIMPLE_PRIMARY_KEY = 8;
    private static final int PRIMARY_KEY_WITH_PREFIX = 9;
    private static final int[] DIGIT_BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

    static TableShape parse(ByteBuffer body) {
        int at = 8;
        String schema = text(body, at);
        at += schema.getBytes(StandardCharsets.UTF_8).length + 2;
        String table = text(body, at);
        at += table.getBytes(StandardCharsets.UTF_8).length + 2;
        body.position(at);
        int columns = (int) Packed.read(body);
        int[] types = new int[columns];
        for (int i = 0; i < columns; i++) {
            types[i] = body.get() & 0xFF;
        }
        int metaEnd = (int) Packed.read(body) + body.position();
        int[] metas = new int[columns];
        for (int i = 0; i < columns; i++) {
            metas[i] = meta(body, types[i]);
        }
        body.position(metaEnd + (columns + 7) / 8);
        return new TableShape(schema, table, types, metas, key(body));
    }

    private static String text(ByteBuffer body, int at) {
        byte[] bytes = new byte[body.get(at) & 0xFF];
        body.get(at + 1, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int meta(ByteBuffer body, int type) {
        return switch (type) {
            case 4, 5, 17, 18, 19, 242, JSON, 252, 255 -> body.get() & 0xFF;
            case VARCHAR, BIT, 246, 247, 248, 253, 254 -> body.getShort() & 0xFFFF;
            default -> 0;
        };
    }

    private static List<Integer> key(ByteBuffer body) {
        List<Integer> key = new ArrayList<>();
        while (body.hasRemaining()) {
            int field = body.get() & 0xFF;
            int end = (int) Packed.read(body) + body.position();
            while (body.position() < end && (field == SIMPLE_PRIMARY_KEY || field == PRIMARY_KEY_WITH_PREFIX)) {
                key.add((int) Packed.read(body));
                if (field == PRIMARY_KEY_WITH_PREFIX) {
                    Packed.read(body);
                }
            }
            body.position(end);
        }
        return key;
    }

    String name() {
        return schema + "." + table;
    }

    int columns() {
        return types.length;
    }

    boolean isJson(int column) {
        return types[column] == JSON;
    }

    /** The size in bytes of a value in a row image, with its length prefix. */
    int length(int column, ByteBuffer row, int at) {
        int meta = metas[column];
        return switch (types[column]) {
            case 1, 13 -> 1;
            case 2 -> 2;
            case 9, 10, 11, 14 -> 3;
            case 3, 7 -> 4;
            case 8, 12 -> 8;
            case 4, 5 -> meta;
            case 6 -> 0;
            case VARCHAR, 253 -> prefixed(row, at, meta < 256 ? 1 : 2);
            case BIT -> (meta >> 8) + ((meta & 0xFF) > 0 ? 1 : 0);
            case 17 -> 4 + (meta + 1) / 2;
            case 18 -> 5 + (meta + 1) / 2;
            case 19 -> 3 + (meta + 1) / 2;
            case 242, JSON, 252, 255 -> prefixed(row, at, meta);
            case 246 -> decimal(meta & 0xFF, meta >> 8);
            case 247, 248 -> meta >> 8;
            case 254 -> string(row, at, meta & 0xFF, meta >> 8);
            default -> throw new IllegalStateException(name() + " column " + column + ": type " + types[column]);
        };
    }

    private static int string(ByteBuffer row, int at, int first, int second) {
        if (first == 247 || first == 248) {
            return second;
        }
        int most = ((first & 0x30) ^ 0x30) << 4 | second; // lengths above 255 use two bits of the type
        return prefixed(row, at, most < 256 ? 1 : 2);
    }

    private static int prefixed(ByteBuffer row, int at, int prefix) {
        int length = 0;
        for (int i = prefix - 1; i >= 0; i--) {
            length = length << 8 | (row.get(at + i) & 0xFF);
        }
        return prefix + length;
    }

    private static int decimal(int precision, int scale) {
        int whole = precision - scale;
        return whole / 9 * 4 + DIGIT_BYTES[whole % 9] + scale / 9 * 4 + DIGIT_BYTES[scale % 9];
    }
}
