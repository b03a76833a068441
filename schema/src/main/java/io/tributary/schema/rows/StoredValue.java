package io.tributary.schema.rows;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.rows.convert.CharacterSet;
import io.tributary.schema.rows.convert.CharacterTable;
import io.tributary.schema.rows.convert.ColumnFacts;
import io.tributary.schema.rows.convert.DecimalDigits;
import io.tributary.schema.rows.convert.MemberConversion;
import io.tributary.schema.rows.convert.RowBytes;
import io.tributary.schema.rows.convert.StoredColumn;
import io.tributary.schema.rows.convert.StoredTime;
import io.tributary.schema.rows.convert.TextLimit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Values of defaults in the form in which MySQL stores them in row images. */
public final class StoredValue {
    private static final BigInteger MOST_UNSIGNED = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private final StoredColumn to;
    private final Optional<ZoneId> zone;
    private final RowBytes out = new RowBytes();

    private StoredValue(StoredColumn to, Optional<ZoneId> zone) {
        this.to = to;
        this.zone = zone;
        out.gather();
    }

    /**
     * The value that ADD COLUMN with a DEFAULT gives to rows. It is unknown for an expression or CURRENT_TIMESTAMP, for a literal that the column
     * does not accept, if a TIMESTAMP's zone is unknown or its local time is ambiguous there, and if ENUM and SET values or the character set
     * are unknown.
     *
     * @param literal as in the statement, such as {@code 'a''b'}, {@code -1.50}, {@code x'ff'}, {@code b'101'}, {@code TRUE}, {@code
     *     TIMESTAMP '2020-01-01 00:00:00'} or {@code NULL}
     * @param isNull for SQL NULL, whatever the literal is
     * @param to the target's table map
     * @param column of the target
     * @param zone time_zone of the session that ran the statement, for TIMESTAMP columns; empty = unknown
     */
    static AddedValue of(String literal, boolean isNull, TableShape to, int column, Optional<ZoneId> zone) {
        return of(literal, isNull, StoredColumn.of(to, column, ColumnFacts.NONE), zone);
    }

    /** As above, for a column whose table map does not contain all properties. */
    public static AddedValue of(String literal, TableShape to, int column, ColumnFacts facts, Optional<ZoneId> zone) {
        return of(literal, false, StoredColumn.of(to, column, facts), zone);
    }

    /**
     * The value that ADD COLUMN without DEFAULT gives to rows: NULL if the column is nullable; otherwise zero, the empty string, the first value
     * of an ENUM, the zero date. Unknown for geometry and vectors.
     */
    public static AddedValue implicit(TableShape to, int column) {
        StoredColumn stored = StoredColumn.of(to, column, ColumnFacts.NONE);
        if (stored.isNullable()) {
            return AddedValue.NULL;
        }
        return switch (stored.type()) {
            case ColumnType.MYSQL_TYPE_GEOMETRY, ColumnType.MYSQL_TYPE_VECTOR ->
                new AddedValue.Unknown("the type has no implicit default");
            case ColumnType.MYSQL_TYPE_JSON -> new AddedValue.Stored(new byte[stored.prefix()]);
            case ColumnType.MYSQL_TYPE_ENUM -> new StoredValue(stored, Optional.empty()).little(1, stored.width());
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> new StoredValue(stored, Optional.empty()).decimal(BigDecimal.ZERO);
            case ColumnType.MYSQL_TYPE_TIME2 -> new StoredValue(stored, Optional.empty()).time(new WrittenTime());
            case ColumnType.MYSQL_TYPE_DATETIME2 ->
                new StoredValue(stored, Optional.empty()).datetime(new WrittenTime());
            default ->
                stored.width() == TableShape.UNKNOWN_WIDTH
                        ? new AddedValue.Unknown("the type is not known")
                        : new AddedValue.Stored(new byte[Math.abs(stored.width())]);
        };
    }

    private static AddedValue of(String text, boolean isNull, StoredColumn to, Optional<ZoneId> zone) {
        if (isNull) {
            return AddedValue.NULL;
        }
        Literal literal = Literal.parse(text);
        if (literal == null) {
            return new AddedValue.Unknown("its default is not a literal");
        }
        if (literal.kind() == Literal.Kind.NULL) {
            return AddedValue.NULL;
        }
        try {
            AddedValue constant = new StoredValue(to, zone).of(literal);
            return constant == null
                    ? new AddedValue.Unknown("its default is not a literal that its type accepts")
                    : constant;
        } catch (ArithmeticException | IllegalArgumentException | java.time.DateTimeException e) {
            return new AddedValue.Unknown("its default cannot be read: " + e.getMessage());
        }
    }

    private AddedValue of(Literal literal) {
        if (to.isInteger()) {
            return integer(literal.number());
        }
        return switch (to.type()) {
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> decimal(literal.number());
            case ColumnType.MYSQL_TYPE_FLOAT ->
                little(Float.floatToRawIntBits((float) literal.number().doubleValue()), 4);
            case ColumnType.MYSQL_TYPE_DOUBLE ->
                little(Double.doubleToRawLongBits(literal.number().doubleValue()), 8);
            case ColumnType.MYSQL_TYPE_YEAR -> year(literal);
            case ColumnType.MYSQL_TYPE_BIT -> bit(literal);
            case ColumnType.MYSQL_TYPE_ENUM, ColumnType.MYSQL_TYPE_SET -> member(literal);
            case ColumnType.MYSQL_TYPE_DATE, ColumnType.MYSQL_TYPE_NEWDATE -> date(WrittenTime.date(literal.text()));
            case ColumnType.MYSQL_TYPE_DATETIME2 ->
                datetime(WrittenTime.datetime(literal.text()).rounded(to.metadata()));
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> timestamp(WrittenTime.datetime(literal.text()));
            case ColumnType.MYSQL_TYPE_TIME2 ->
                time(WrittenTime.time(literal.text()).roundedTime(to.metadata()));
            case ColumnType.MYSQL_TYPE_STRING, ColumnType.MYSQL_TYPE_VARCHAR, ColumnType.MYSQL_TYPE_BLOB ->
                string(literal);
            default -> null;
        };
    }

    private AddedValue little(long value, int bytes) {
        out.putLittle(value, bytes);
        return written();
    }

    private AddedValue written() {
        byte[] bytes = new byte[(int) out.total()];
        out.gathered().get(0, bytes);
        return new AddedValue.Stored(bytes);
    }

    private AddedValue integer(BigDecimal number) {
        BigInteger value = number.setScale(0, java.math.RoundingMode.HALF_UP).toBigIntegerExact();
        boolean fits = to.unsigned()
                ? value.signum() >= 0 && value.bitLength() <= 8 * to.integerBytes()
                : value.bitLength() < 8 * to.integerBytes();
        return fits ? little(value.longValue(), to.integerBytes()) : null;
    }

    private AddedValue decimal(BigDecimal number) {
        DecimalDigits digits = out.digits();
        digits.set(number);
        return digits.write(to.precision(), to.scale(), out) ? written() : null;
    }

    private AddedValue year(Literal literal) {
        int year = literal.number().setScale(0, java.math.RoundingMode.HALF_UP).intValueExact();
        boolean zero = year == 0
                && (literal.kind() != Literal.Kind.STRING || literal.text().length() == 4);
        if (!zero && year < 100) {
            year += year < 70 ? 2000 : 1900;
        }
        return zero || year > 1900 && year < 2156 ? little(zero ? 0 : year - 1900, 1) : null;
    }

    private AddedValue bit(Literal literal) {
        BigInteger value = literal.kind() == Literal.Kind.STRING
                ? new BigInteger(1, literal.text().getBytes(java.nio.charset.StandardCharsets.UTF_8))
                : literal.number().setScale(0, java.math.RoundingMode.HALF_UP).toBigIntegerExact();
        if (value.signum() < 0 || value.compareTo(MOST_UNSIGNED) > 0 || value.bitLength() > to.bits()) {
            return null;
        }
        out.putBig(value.longValue(), to.width());
        return written();
    }

    private AddedValue member(Literal literal) {
        String[] values = to.values().isEmpty() || to.charset() == null ? null : MemberConversion.texts(to);
        if (values == null) {
            return new AddedValue.Unknown("its ENUM or SET values are not known");
        }
        if (literal.kind() != Literal.Kind.STRING) {
            return little(literal.number().longValueExact(), to.width());
        }
        if (to.type() == ColumnType.MYSQL_TYPE_ENUM) {
            int index = index(values, literal.text());
            return index < 0 ? null : little(index + 1L, to.width());
        }
        long bits = 0;
        for (String one :
                literal.text().isEmpty() ? new String[0] : literal.text().split(",", -1)) {
            int index = index(values, one);
            if (index < 0) {
                return null;
            }
            bits |= 1L << index;
        }
        return little(bits, to.width());
    }

    private static int index(String[] values, String text) {
        String wanted = text.stripTrailing();
        int exact = Arrays.asList(values).indexOf(wanted);
        if (exact >= 0) {
            return exact;
        }
        for (int i = 0; i < values.length; i++) {
            if (values[i].toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT))) {
                return i;
            }
        }
        return -1;
    }

    private AddedValue date(WrittenTime time) {
        return little(time.year() << 9 | time.month() << 5 | time.day(), 3);
    }

    private AddedValue datetime(WrittenTime time) {
        int second = StoredTime.packed(time.hour(), time.minute(), time.second());
        out.putBig(StoredTime.datetime(time.year(), time.month(), time.day(), second), 5);
        return fraction(time.micros());
    }

    private AddedValue timestamp(WrittenTime written) {
        if (written.isZero()) {
            out.putBig(0, 4);
            return fraction(0);
        }
        if (zone.isEmpty()) {
            return new AddedValue.Unknown("its time zone is not known");
        }
        WrittenTime time = written.rounded(to.metadata());
        java.time.LocalDateTime local = java.time.LocalDateTime.of(
                time.year(), time.month(), time.day(), time.hour(), time.minute(), time.second());
        java.util.List<java.time.ZoneOffset> offsets = zone.get().getRules().getValidOffsets(local);
        if (offsets.size() != 1) {
            return new AddedValue.Unknown("its local time does not exist exactly once in its time zone");
        }
        long seconds = local.toEpochSecond(offsets.get(0));
        if (seconds <= 0 || seconds > Integer.MAX_VALUE) {
            return null;
        }
        out.putBig(seconds, 4);
        return fraction(time.micros());
    }

    private AddedValue time(WrittenTime time) {
        int packed = StoredTime.packed(time.hour(), time.minute(), time.second());
        int bytes = StoredTime.fractionBytes(to.metadata());
        out.putBig(StoredTime.time(time.isNegative(), packed, time.micros(), bytes), 3 + bytes);
        return written();
    }

    private AddedValue fraction(int micros) {
        int bytes = StoredTime.fractionBytes(to.metadata());
        out.putBig(micros / StoredTime.microsOfUnit(bytes), bytes);
        return written();
    }

    private AddedValue string(Literal literal) {
        if (to.charset() == null) {
            return new AddedValue.Unknown("its character set is not known");
        }
        byte[] bytes = bytes(literal);
        if (bytes == null) {
            return new AddedValue.Unknown("its character set lacks a character of its default");
        }
        ByteBuffer view = ByteBuffer.wrap(bytes);
        int end;
        if (to.charset() == CharacterSet.BINARY) {
            end = bytes.length;
            while (to.isFixed() && end > 0 && bytes[end - 1] == 0) {
                end--;
            }
        } else {
            end = new TextLimit(to.mostCharacters(), to.mostBytes(), to.isFixed(), true)
                    .end(to.charset(), view, 0, bytes.length);
        }
        if (end < 0 || bytes.length > to.mostBytes()) {
            return null;
        }
        out.putLittle(end, to.prefix());
        out.copy(view, 0, end);
        return written();
    }

    private byte[] bytes(Literal literal) {
        if (literal.kind() == Literal.Kind.BYTES) {
            return literal.bytes();
        }
        String text = literal.text();
        if (to.charset() == CharacterSet.BINARY) {
            return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }
        CharacterTable table = CharacterTable.of(to.charset());
        boolean ascii = text.chars().allMatch(c -> c < 0x80);
        boolean strict = to.charset() == CharacterSet.ASCII || table == null;
        if (strict) {
            return ascii ? text.getBytes(java.nio.charset.StandardCharsets.US_ASCII) : null;
        }
        return table.bytes(text);
    }
}
