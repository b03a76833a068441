package io.tributary.sink.canal;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.changes.ValueKind;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.write.CreateTable;
import io.tributary.sink.json.ByteCharacters;
import io.tributary.sink.json.JsonOutput;
import io.tributary.sink.json.ValueText;
import java.nio.charset.StandardCharsets;
import java.sql.Types;

/** A column of canal-json: all values are strings or null. Immutable. */
final class CanalColumn {
    private final ChangeColumn column;
    private final ByteCharacters characters;
    private final int sqlType;
    private final int promoted;
    private final byte[] begin;
    private final byte[] none;

    CanalColumn(ChangeColumn column) {
        this.column = column;
        this.characters = ByteCharacters.of(column);
        this.sqlType = sqlType(column);
        this.promoted = column.isUnsigned() ? promoted(column.type()) : sqlType;
        String key = key(column);
        this.begin = (key + '"').getBytes(StandardCharsets.UTF_8);
        this.none = (key + "null").getBytes(StandardCharsets.UTF_8);
    }

    private static String key(ChangeColumn column) {
        return ',' + new String(new JsonOutput().string(column.name()).toBytes(), StandardCharsets.UTF_8) + ':';
    }

    /** The number of java.sql.Types that Canal writes. */
    private static int sqlType(ChangeColumn column) {
        return switch (column.kind()) {
            case INTEGER -> integer(column.type().name());
            case DECIMAL -> Types.DECIMAL;
            case FLOAT -> Types.REAL;
            case DOUBLE -> Types.DOUBLE;
            case BIT, SET -> Types.BIT;
            case ENUM -> Types.INTEGER;
            case DATE -> Types.DATE;
            case TIME -> Types.TIME;
            case DATETIME, TIMESTAMP -> Types.TIMESTAMP;
            case TEXT ->
                column.type().isText() ? Types.CLOB : column.type().name().equals("char") ? Types.CHAR : Types.VARCHAR;
            case YEAR, JSON, VECTOR -> Types.VARCHAR;
            case BYTES, GEOMETRY -> Types.BLOB;
        };
    }

    private static int integer(String name) {
        return switch (name) {
            case "tinyint" -> Types.TINYINT;
            case "smallint" -> Types.SMALLINT;
            case "bigint" -> Types.BIGINT;
            default -> Types.INTEGER;
        };
    }

    /** The type of an unsigned integer whose first bit is set. */
    private static int promoted(SqlType type) {
        return switch (type.name()) {
            case "tinyint" -> Types.SMALLINT;
            case "smallint", "mediumint" -> Types.INTEGER;
            case "int" -> Types.BIGINT;
            default -> Types.DECIMAL;
        };
    }

    ChangeColumn column() {
        return column;
    }

    /** Whether the type in {@code sqlType} depends on the value. */
    boolean hasPromotion() {
        return column.kind() == ValueKind.INTEGER && promoted != sqlType;
    }

    int sqlType() {
        return sqlType;
    }

    /** The type for an unsigned value. */
    int sqlType(RowImage image) {
        if (column.isNull(image)) {
            return sqlType;
        }
        int bits = Byte.SIZE * column.length(image);
        return column.integer(image) >>> bits - 1 == 0 ? sqlType : promoted;
    }

    /** The type in {@code mysqlType}. */
    String mysqlType(boolean isFull) {
        SqlType type = column.type();
        return isFull
                ? CreateTable.typeText(type)
                : type.name() + (type.unsigned() ? " unsigned" : "") + (type.zerofill() ? " zerofill" : "");
    }

    /** Appends the column with its name, and a comma before it unless it is the first one. */
    void write(JsonOutput out, ValueText values, RowImage image, boolean isFirst) {
        int from = isFirst ? 1 : 0;
        if (column.isNull(image)) {
            out.raw(none, from);
            return;
        }
        out.raw(begin, from);
        value(values, image);
        out.character('"');
    }

    private void value(ValueText values, RowImage image) {
        switch (column.kind()) {
            case INTEGER, BIT, ENUM, SET -> values.integer(column, image);
            case DECIMAL -> values.decimal(column, image);
            case FLOAT, DOUBLE -> values.real(column, image, false);
            case YEAR -> values.year(column, image);
            case DATE, TIME, DATETIME, TIMESTAMP -> values.moment(column, image);
            case TEXT -> values.characters(column, image, characters);
            case JSON -> values.json(column, image);
            case VECTOR -> values.vector(column, image, false);
            case BYTES, GEOMETRY -> values.bytesAsCharacters(column, image);
        }
    }

    /** Whether the stored values of two images differ. */
    boolean isChanged(RowImage before, RowImage after) {
        boolean isNull = column.isNull(before);
        if (isNull || column.isNull(after)) {
            return isNull != column.isNull(after);
        }
        int length = column.length(before);
        return length != column.length(after)
                || !before.view()
                        .slice(column.at(before), length)
                        .equals(after.view().slice(column.at(after), length));
    }
}
