package io.tributary.sink.debezium;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ValueKind;
import io.tributary.schema.definition.SqlType;
import java.sql.Types;
import java.util.List;
import java.util.stream.Collectors;

/** The schema of each type. Defaults of columns are left out: Kafka Connect's JsonConverter would read NULL as the default. */
final class DebeziumTypes {
    private static final String DECIMAL = "org.apache.kafka.connect.data.Decimal";
    private static final int LONG_DIGITS = 20;
    private static final int MOST_MILLIS = 3;

    private DebeziumTypes() {}

    /** The schema of a column. */
    static ConnectSchema schema(ChangeColumn column, DecimalForm decimals) {
        SqlType type = column.type();
        boolean isOptional = column.definition().nullable();
        return switch (column.kind()) {
            case INTEGER ->
                isLongUnsigned(column)
                        ? number(decimals, LONG_DIGITS, 0, isOptional)
                        : ConnectSchema.of(integer(type), isOptional);
            case DECIMAL -> number(decimals, type.length(), type.decimals(), isOptional);
            case FLOAT -> ConnectSchema.of(type.length() > 0 ? "double" : "float", isOptional);
            case DOUBLE -> ConnectSchema.of("double", isOptional);
            case BIT ->
                isBoolean(column)
                        ? ConnectSchema.of("boolean", isOptional)
                        : meaning("bytes", isOptional, "io.debezium.data.Bits")
                                .with("length", String.valueOf(type.length()));
            case YEAR -> meaning("int32", isOptional, "io.debezium.time.Year");
            case DATE -> meaning("int32", isOptional, "io.debezium.time.Date");
            case TIME -> meaning("int64", isOptional, "io.debezium.time.MicroTime");
            case DATETIME ->
                meaning(
                        "int64",
                        isOptional,
                        column.digits() > MOST_MILLIS
                                ? "io.debezium.time.MicroTimestamp"
                                : "io.debezium.time.Timestamp");
            case TIMESTAMP -> meaning("string", isOptional, "io.debezium.time.ZonedTimestamp");
            case ENUM -> meaning("string", isOptional, "io.debezium.data.Enum").with("allowed", allowed(type.values()));
            case SET ->
                meaning("string", isOptional, "io.debezium.data.EnumSet").with("allowed", allowed(type.values()));
            case TEXT -> ConnectSchema.of("string", isOptional);
            case BYTES -> ConnectSchema.of("bytes", isOptional);
            case JSON -> meaning("string", isOptional, "io.debezium.data.Json");
            case GEOMETRY -> geometry(isPoint(column), isOptional);
            case VECTOR ->
                ConnectSchema.array(ConnectSchema.of("float", false), isOptional)
                        .as("io.debezium.data.FloatVector", 1);
        };
    }

    private static ConnectSchema meaning(String type, boolean isOptional, String name) {
        return ConnectSchema.of(type, isOptional).as(name, 1);
    }

    private static ConnectSchema number(DecimalForm form, int precision, int scale, boolean isOptional) {
        return switch (form) {
            case BYTES ->
                meaning("bytes", isOptional, DECIMAL)
                        .with("scale", String.valueOf(scale))
                        .with("connect.decimal.precision", String.valueOf(precision));
            case TEXT -> ConnectSchema.of("string", isOptional);
            case DOUBLE -> ConnectSchema.of("double", isOptional);
        };
    }

    private static String integer(SqlType type) {
        return switch (type.name()) {
            case "tinyint" -> "int16";
            case "smallint" -> type.unsigned() ? "int32" : "int16";
            case "mediumint" -> "int32";
            case "int" -> type.unsigned() ? "int64" : "int32";
            default -> "int64";
        };
    }

    /** With commas between them, and a backslash before the commas in them. */
    private static String allowed(List<String> values) {
        return values.stream().map(value -> value.replace(",", "\\,")).collect(Collectors.joining(","));
    }

    private static ConnectSchema geometry(boolean isPoint, boolean isOptional) {
        ConnectSchema coordinate = ConnectSchema.of("double", false);
        ConnectSchema struct = ConnectSchema.of("struct", isOptional);
        ConnectSchema begun = isPoint
                ? struct.as("io.debezium.data.geometry.Point", 1)
                        .field("x", coordinate)
                        .field("y", coordinate)
                : struct.as("io.debezium.data.geometry.Geometry", 1);
        return begun.field("wkb", ConnectSchema.of("bytes", isPoint)).field("srid", ConnectSchema.of("int32", true));
    }

    /** BIGINT UNSIGNED, whose values int64 does not hold. */
    static boolean isLongUnsigned(ChangeColumn column) {
        return column.kind() == ValueKind.INTEGER
                && column.isUnsigned()
                && column.type().name().equals("bigint");
    }

    /** BIT(1). */
    static boolean isBoolean(ChangeColumn column) {
        return column.kind() == ValueKind.BIT && column.type().length() == 1;
    }

    static boolean isPoint(ChangeColumn column) {
        return column.type().name().equals("point");
    }

    /** The number of java.sql.Types in Debezium's descriptions of tables. */
    static int jdbc(SqlType type) {
        return switch (type.name()) {
            case "tinyint", "smallint" -> Types.SMALLINT;
            case "mediumint", "int", "year" -> Types.INTEGER;
            case "bigint" -> Types.BIGINT;
            case "decimal" -> Types.DECIMAL;
            case "float" -> Types.FLOAT;
            case "double" -> Types.DOUBLE;
            case "bit" -> Types.BIT;
            case "date" -> Types.DATE;
            case "time" -> Types.TIME;
            case "datetime" -> Types.TIMESTAMP;
            case "timestamp" -> Types.TIMESTAMP_WITH_TIMEZONE;
            case "char", "enum", "set" -> Types.CHAR;
            case "varchar", "tinytext", "text", "mediumtext", "longtext" -> Types.VARCHAR;
            case "binary" -> Types.BINARY;
            case "varbinary" -> Types.VARBINARY;
            case "tinyblob", "blob", "mediumblob", "longblob" -> Types.BLOB;
            default -> Types.OTHER;
        };
    }
}
