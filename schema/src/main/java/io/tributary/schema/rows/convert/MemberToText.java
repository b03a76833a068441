package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** ENUM or SET to CHAR, VARCHAR or TEXT: the value's text, for a SET the texts separated by commas; rejects texts that are too long. */
final class MemberToText implements Conversion {
    private final boolean isSet;
    /** For each index of a value, from 0, its text as stored. */
    private final byte[][] texts;

    private final byte[] comma;
    private final CharacterSet charset;
    private final int prefix;
    private final TextLimit limit;

    private MemberToText(StoredColumn from, StoredColumn to, byte[][] texts, byte[] comma) {
        this.isSet = from.type() == io.tributary.mysql.event.ColumnType.MYSQL_TYPE_SET;
        this.texts = texts;
        this.comma = comma;
        this.charset = to.charset();
        this.prefix = to.prefix();
        this.limit = TextLimit.of(from, to);
    }

    static ConversionChoice choose(StoredColumn from, StoredColumn to) {
        String[] values = MemberConversion.texts(from);
        CharacterTable table = CharacterTable.of(to.charset());
        if (values == null || table == null) {
            return ConversionChoice.none("its ENUM or SET values cannot be read in their character set");
        }
        byte[][] texts = new byte[values.length][];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = table.bytes(values[i]);
            if (texts[i] == null) {
                return ConversionChoice.none("its character set lacks characters of the ENUM or SET values");
            }
        }
        return ConversionChoice.use(new MemberToText(from, to, texts, table.bytes(",")));
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        long value = Integers.little(view, from, to);
        byte[] text = isSet ? set(value) : value == 0 ? new byte[0] : text(value - 1);
        if (text == null) {
            return false;
        }
        ByteBuffer stored = ByteBuffer.wrap(text);
        int end = limit.end(charset, stored, 0, text.length);
        if (end < 0) {
            return false;
        }
        out.putLittle(end, prefix);
        out.copy(stored, 0, end);
        return true;
    }

    private byte[] text(long index) {
        return index < texts.length ? texts[(int) index] : null;
    }

    private byte[] set(long value) {
        java.io.ByteArrayOutputStream joined = new java.io.ByteArrayOutputStream();
        for (long left = value; left != 0; left &= left - 1) {
            byte[] text = text(Long.numberOfTrailingZeros(left));
            if (text == null) {
                return null;
            }
            if (joined.size() > 0 || left != value) {
                joined.writeBytes(comma);
            }
            joined.writeBytes(text);
        }
        return joined.toByteArray();
    }
}
