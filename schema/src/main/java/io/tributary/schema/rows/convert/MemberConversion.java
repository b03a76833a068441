package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;
import java.util.List;

/** ENUM to ENUM or SET to SET: by the texts of the values; rejects a value that the target lacks. */
public final class MemberConversion implements Conversion {
    private final boolean isSet;
    private final int toBytes;
    /** For each index of a value, from 0, its index in the target; -1 = none. */
    private final int[] targets;

    private MemberConversion(boolean isSet, int toBytes, int[] targets) {
        this.isSet = isSet;
        this.toBytes = toBytes;
        this.targets = targets;
    }

    static ConversionChoice choose(StoredColumn from, StoredColumn to) {
        boolean raw = from.charset() == to.charset() || from.charset() == null || to.charset() == null;
        String[] sources = raw ? bytes(from) : texts(from);
        String[] values = raw ? bytes(to) : texts(to);
        if (sources == null || values == null) {
            return ConversionChoice.none("its ENUM or SET values cannot be read in their character set");
        }
        int[] targets = new int[sources.length];
        boolean same = from.width() == to.width();
        for (int i = 0; i < targets.length; i++) {
            targets[i] = find(values, sources[i]);
            same &= targets[i] == i;
        }
        return same
                ? ConversionChoice.bytes()
                : ConversionChoice.use(new MemberConversion(
                        from.type() == io.tributary.mysql.event.ColumnType.MYSQL_TYPE_SET, to.width(), targets));
    }

    private static int find(String[] values, String text) {
        for (int i = 0; i < values.length; i++) {
            if (values[i].equals(text)) {
                return i;
            }
        }
        return -1;
    }

    /** The bytes of the values, one per character. */
    private static String[] bytes(StoredColumn column) {
        return column.values().stream()
                .map(value -> new String(value, java.nio.charset.StandardCharsets.ISO_8859_1))
                .toArray(String[]::new);
    }

    /** Null if a value cannot be read. */
    public static String[] texts(StoredColumn column) {
        List<byte[]> values = column.values();
        CharacterTable table = CharacterTable.of(column.charset());
        String[] texts = new String[values.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = table == null
                    ? new String(values.get(i), java.nio.charset.StandardCharsets.ISO_8859_1)
                    : table.text(values.get(i));
            if (texts[i] == null || table == null && !isAscii(texts[i])) {
                return null;
            }
        }
        return texts;
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        long value = Integers.little(view, from, to);
        long result = 0;
        if (isSet) {
            for (long left = value; left != 0; left &= left - 1) {
                int bit = Long.numberOfTrailingZeros(left);
                if (bit >= targets.length || targets[bit] < 0) {
                    return false;
                }
                result |= 1L << targets[bit];
            }
        } else if (value != 0) {
            if (value > targets.length || targets[(int) value - 1] < 0) {
                return false;
            }
            result = targets[(int) value - 1] + 1L;
        }
        out.putLittle(result, toBytes);
        return true;
    }
}
