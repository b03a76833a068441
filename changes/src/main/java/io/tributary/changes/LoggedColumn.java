package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.SqlType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A column as a table map describes it.
 *
 * @param saysCharset whether the collations in the shape are those of its columns
 */
record LoggedColumn(TableShape shape, int index, boolean saysCharset) {
    private static final int BINARY = 63;
    /** Offset of the numbers of MariaDB's collations without padding from those with padding. */
    private static final int NO_PAD = 1024;

    private static final List<String> TEXTS = List.of("tinytext", "text", "mediumtext", "longtext");
    private static final List<String> BLOBS = List.of("tinyblob", "blob", "mediumblob", "longblob");
    private static final List<String> GEOMETRIES = List.of(
            "geometry",
            "point",
            "linestring",
            "polygon",
            "multipoint",
            "multilinestring",
            "multipolygon",
            "geomcollection");

    /** Whether what the table map says besides the type is true of a column of this type. */
    boolean isLike(Column column) {
        SqlType type = column.type();
        String name = shape.name(index);
        boolean isNumber = ColumnType.isNumeric(shape.type(index)) && shape.type(index) != ColumnType.MYSQL_TYPE_YEAR;
        if (!name.isEmpty() && !name.equals(column.name())) {
            return false;
        }
        if (isNumber && shape.saysSigns() && shape.isUnsigned(index) != type.unsigned()) {
            return false;
        }
        if (saysCharset && shape.collation(index) != 0 && !charset().equals(charset(type))) {
            return false;
        }
        return shape.values(index).isEmpty()
                || values().filter(type.values()::equals).isPresent();
    }

    /** The character set of a type; {@code binary} for one of bytes. */
    static String charset(SqlType type) {
        if (!type.isCharacter()) {
            return "binary";
        }
        return switch (type.charset()) {
            case "" -> "utf8mb4";
            case "utf8" -> "utf8mb3";
            default -> type.charset();
        };
    }

    private String charset() {
        return collation().map(Collation::charset).orElse("");
    }

    private Optional<Collation> collation() {
        int id = shape.collation(index);
        return Collations.of(id >= NO_PAD && id < 2 * NO_PAD ? id - NO_PAD : id);
    }

    /** Empty for a character set that is not known. */
    private Optional<List<String>> values() {
        String charset = charset();
        return StoredCharacters.of(charset.equals("binary") ? "utf8mb4" : charset)
                .map(characters -> shape.values(index).stream()
                        .map(value -> text(characters, value))
                        .toList());
    }

    private static String text(StoredCharacters characters, byte[] value) {
        ByteBuf text = Unpooled.buffer();
        characters.append(text, ByteBuffer.wrap(value), 0, value.length);
        return text.toString(StandardCharsets.UTF_8);
    }

    /**
     * The column, with its name from the table map.
     *
     * @throws IllegalArgumentException for a type or collation that is not known
     */
    Column column() {
        return new Column(
                shape.name(index), type(), shape.isNullable(index), Default.NONE, Optional.empty(), false, "", true);
    }

    private SqlType type() {
        int metadata = shape.metadata(index);
        return switch (shape.type(index)) {
            case ColumnType.MYSQL_TYPE_TINY -> number("tinyint", 0, 0);
            case ColumnType.MYSQL_TYPE_SHORT -> number("smallint", 0, 0);
            case ColumnType.MYSQL_TYPE_INT24 -> number("mediumint", 0, 0);
            case ColumnType.MYSQL_TYPE_LONG -> number("int", 0, 0);
            case ColumnType.MYSQL_TYPE_LONGLONG -> number("bigint", 0, 0);
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> number("decimal", metadata & 0xff, metadata >> 8);
            case ColumnType.MYSQL_TYPE_FLOAT -> number("float", 0, 0);
            case ColumnType.MYSQL_TYPE_DOUBLE -> number("double", 0, 0);
            case ColumnType.MYSQL_TYPE_BIT -> SqlType.of("bit", (metadata >> 8) * Byte.SIZE + (metadata & 0xff), 0);
            case ColumnType.MYSQL_TYPE_YEAR -> SqlType.of("year");
            case ColumnType.MYSQL_TYPE_DATE, ColumnType.MYSQL_TYPE_NEWDATE -> SqlType.of("date");
            case ColumnType.MYSQL_TYPE_TIME2 -> SqlType.of("time", 0, metadata);
            case ColumnType.MYSQL_TYPE_DATETIME2 -> SqlType.of("datetime", 0, metadata);
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> SqlType.of("timestamp", 0, metadata);
            case ColumnType.MYSQL_TYPE_JSON -> SqlType.of("json");
            case ColumnType.MYSQL_TYPE_VECTOR -> SqlType.of("vector", shape.detail(index), 0);
            case ColumnType.MYSQL_TYPE_GEOMETRY -> SqlType.of(GEOMETRIES.get(shape.detail(index) % GEOMETRIES.size()));
            case ColumnType.MYSQL_TYPE_ENUM -> characters("enum", 0).withValues(labels());
            case ColumnType.MYSQL_TYPE_SET -> characters("set", 0).withValues(labels());
            default -> ofBytes(metadata);
        };
    }

    private List<String> labels() {
        return values().orElseThrow(() -> new IllegalArgumentException("character set '" + charset() + "'"));
    }

    private SqlType number(String name, int length, int decimals) {
        return SqlType.of(name, length, decimals).withSign(shape.isUnsigned(index), false);
    }

    private SqlType ofBytes(int metadata) {
        boolean isBinary = shape.collation(index) == BINARY;
        return switch (shape.type(index)) {
            case ColumnType.MYSQL_TYPE_STRING ->
                isBinary ? SqlType.of("binary", metadata, 0) : characters("char", metadata);
            case ColumnType.MYSQL_TYPE_VARCHAR, ColumnType.MYSQL_TYPE_VAR_STRING ->
                isBinary ? SqlType.of("varbinary", metadata, 0) : characters("varchar", metadata);
            case ColumnType.MYSQL_TYPE_BLOB -> {
                int bytes = Math.max(1, Math.min(TEXTS.size(), metadata)) - 1;
                yield isBinary ? SqlType.of(BLOBS.get(bytes)) : characters(TEXTS.get(bytes), 0);
            }
            default -> throw new IllegalArgumentException("type " + shape.type(index));
        };
    }

    private SqlType characters(String name, int bytes) {
        Collation collation =
                collation().orElseThrow(() -> new IllegalArgumentException("collation " + shape.collation(index)));
        return SqlType.of(name, bytes / collation.maxLength(), 0).withCollation(collation.name());
    }
}
