package io.tributary.schema.rows.convert;

import io.tributary.mysql.event.ColumnType;

/**
 * The conversion of values of one column to values of another, with exactly the result of ALTER TABLE. If there is neither conversion nor reason, the
 * bytes are equal except for the length before them.
 *
 * @param conversion null if none is needed
 * @param reason why there is none; null if there is one
 */
public record ConversionChoice(Conversion conversion, String reason) {
    private static final ConversionChoice BYTES = new ConversionChoice(null, null);

    public static ConversionChoice of(StoredColumn from, StoredColumn to) {
        if (isSame(from, to)) {
            return BYTES;
        }
        if (!from.isSound() || !to.isSound()) {
            return none("its table map has digits or bits that are not valid for a column");
        }
        if (from.isNumeric()) {
            return number(from, to);
        }
        if (from.isString()) {
            return string(from, to);
        }
        if (from.isMember()) {
            return member(from, to);
        }
        return other(from, to);
    }

    /** Unknown properties of a side make no difference, except the values of ENUM and SET. */
    private static boolean isSame(StoredColumn from, StoredColumn to) {
        boolean storage = from.type() == to.type() && from.metadata() == to.metadata();
        boolean sign = !from.isNumeric()
                || from.unsigned() == to.unsigned()
                || !from.signIsKnown()
                || !to.signIsKnown()
                || from.isReal() && from.unsigned() && !to.unsigned();
        boolean charset = from.charset() == null || to.charset() == null || from.charset() == to.charset();
        boolean detail = from.detail() == to.detail() || from.detail() == 0 || to.detail() == 0;
        boolean values =
                !from.isMember() || from.values().isEmpty() && to.values().isEmpty();
        return storage && sign && charset && detail && values;
    }

    private static ConversionChoice number(StoredColumn from, StoredColumn to) {
        if (to.isNumeric() && (!from.signIsKnown() || !to.signIsKnown())) {
            return none("whether it is unsigned is not known");
        }
        if (from.isInteger()) {
            return integer(from, to);
        }
        if (from.isDecimal() && to.isDecimal()) {
            boolean wider =
                    to.scale() >= from.scale() && to.precision() - to.scale() >= from.precision() - from.scale();
            boolean sign = from.unsigned() || !to.unsigned();
            boolean same = from.metadata() == to.metadata();
            return same && wider && sign ? BYTES : use(new DecimalConversion(from, to));
        }
        if (from.isReal() && to.isReal() && (from.type() == to.type() || from.metadata() < to.metadata())) {
            return use(new RealConversion(from, to));
        }
        return noConversion(from, to);
    }

    private static ConversionChoice integer(StoredColumn from, StoredColumn to) {
        if (to.isInteger()) {
            return use(new IntegerConversion(from, to));
        }
        if (to.isDecimal()) {
            return use(new IntegerToDecimal(from, to));
        }
        if (to.type() == ColumnType.MYSQL_TYPE_DOUBLE) {
            return use(new IntegerToDouble(from, to));
        }
        if (to.isString() && to.charset() != null && to.charset() != CharacterSet.BINARY) {
            return from.signIsKnown() ? use(new IntegerToText(from, to)) : none("whether it was unsigned is not known");
        }
        return noConversion(from, to);
    }

    private static ConversionChoice string(StoredColumn from, StoredColumn to) {
        if (!to.isString()) {
            return noConversion(from, to);
        }
        if (from.charset() == null || to.charset() == null) {
            return none("its character set is not known");
        }
        if ((from.charset() == CharacterSet.BINARY) != (to.charset() == CharacterSet.BINARY)) {
            return none("there is no conversion between text and binary strings");
        }
        if (from.charset() == CharacterSet.BINARY) {
            return binary(from, to);
        }
        boolean sameBytes = from.charset().isPartOf(to.charset());
        if (sameBytes && fits(from, to) && (from.isFixed() || !to.isFixed())) {
            return BYTES;
        }
        if (sameBytes) {
            return use(new TextConversion(from, to));
        }
        boolean unicode = to.charset() == CharacterSet.UTF8MB4 || to.charset() == CharacterSet.UTF8MB3;
        CharacterTable table = unicode ? CharacterTable.of(from.charset()) : null;
        return table == null
                ? none("there is no conversion from character set " + from.charset() + " to " + to.charset())
                : use(new TextTranscoding(from, to, table));
    }

    private static boolean fits(StoredColumn from, StoredColumn to) {
        if (to.isBlob()) {
            return to.mostBytes() >= from.mostBytes();
        }
        return (from.isBlob() ? from.mostBytes() : from.mostCharacters()) <= to.mostCharacters();
    }

    private static ConversionChoice binary(StoredColumn from, StoredColumn to) {
        boolean fits = to.mostBytes() >= from.mostBytes();
        if (from.isFixed() && to.isFixed()) {
            return fits ? BYTES : none("there is no conversion of BINARY to a shorter one");
        }
        if (from.isFixed() && !fits) {
            return none("there is no conversion of BINARY to a shorter type");
        }
        return fits && !from.isFixed() && !to.isFixed() ? BYTES : use(new BinaryConversion(from, to));
    }

    private static ConversionChoice member(StoredColumn from, StoredColumn to) {
        boolean toText = to.isString() && to.charset() != CharacterSet.BINARY;
        if (to.type() != from.type() && !toText) {
            return noConversion(from, to);
        }
        if (from.values().isEmpty() || to.type() == from.type() && to.values().isEmpty()) {
            return none("its ENUM or SET values are not known");
        }
        if (toText && (from.charset() == null || to.charset() == null)) {
            return none("its character set is not known");
        }
        return toText ? MemberToText.choose(from, to) : MemberConversion.choose(from, to);
    }

    private static ConversionChoice other(StoredColumn from, StoredColumn to) {
        int type = from.type();
        if (type == ColumnType.MYSQL_TYPE_BIT && to.type() == type && to.bits() > from.bits()) {
            return use(new BitConversion(from.width(), to.width()));
        }
        boolean fraction = type == ColumnType.MYSQL_TYPE_TIME2
                || type == ColumnType.MYSQL_TYPE_DATETIME2
                || type == ColumnType.MYSQL_TYPE_TIMESTAMP2;
        if (fraction && to.type() == type) {
            return use(new FractionConversion(from, to));
        }
        boolean date = type == ColumnType.MYSQL_TYPE_DATE || type == ColumnType.MYSQL_TYPE_NEWDATE;
        if (date && to.type() == ColumnType.MYSQL_TYPE_DATETIME2) {
            return use(new DateToDatetime(to.width()));
        }
        return noConversion(from, to);
    }

    static ConversionChoice bytes() {
        return BYTES;
    }

    static ConversionChoice use(Conversion conversion) {
        return new ConversionChoice(conversion, null);
    }

    static ConversionChoice none(String reason) {
        return new ConversionChoice(null, reason);
    }

    private static ConversionChoice noConversion(StoredColumn from, StoredColumn to) {
        return none("there is no conversion from " + name(from) + " to " + name(to));
    }

    private static String name(StoredColumn column) {
        return "type " + column.type() + " (" + column.metadata() + ")";
    }
}
