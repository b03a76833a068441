package io.tributary.sink.avro;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.write.CreateTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Makes the Avro schemas of tables. The type of each field has {@code connect.parameters}: {@code tributary_type}, the type as in COLUMN_TYPE, and what
 * consumers of TiCDC read, {@code tidb_type}, {@code length} of BIT and {@code allowed} of ENUM and SET.
 *
 * @param namespace of all records
 * @param extension whether values have the fields {@link #EXTENSION}
 */
record RecordSchemas(String namespace, AvroOptions options, boolean extension) {
    static final String OPERATION = "_tributary_op";
    static final String COMMIT_NUMBER = "_tributary_commit_ts";
    static final String COMMIT_TIME = "_tributary_commit_physical_time";
    static final List<String> EXTENSION = List.of(OPERATION, COMMIT_NUMBER, COMMIT_TIME);

    private static final int UNSIGNED_DIGITS = 20;

    /** The schema of the handle key. */
    Schema key(ChangeTable table) {
        return record(table, table.handle(), false);
    }

    /** The schema of rows. */
    Schema value(ChangeTable table) {
        return record(table, table.columns(), extension);
    }

    private Schema record(ChangeTable table, List<ChangeColumn> columns, boolean isExtended) {
        Map<String, String> columnOf = new HashMap<>();
        List<Schema.Field> fields = new ArrayList<>();
        for (ChangeColumn column : columns) {
            String name = AvroNames.of(column.name());
            String other = columnOf.put(name, column.name());
            if (other != null) {
                throw collision(table, name, "columns " + other + " and " + column.name());
            }
            fields.add(field(name, column));
        }
        if (isExtended) {
            for (String name : EXTENSION) {
                if (columnOf.containsKey(name)) {
                    throw collision(table, name, "column " + columnOf.get(name) + " and the field of sink.extension");
                }
                Schema.Type type = name.equals(OPERATION) ? Schema.Type.STRING : Schema.Type.LONG;
                fields.add(new Schema.Field(name, Schema.create(type)));
            }
        }
        String space = AvroNames.of(namespace) + "." + AvroNames.of(table.name().schema());
        return Schema.createRecord(AvroNames.of(table.name().table()), null, space, false, fields);
    }

    private static TributaryException collision(ChangeTable table, String name, String found) {
        return new TributaryException(
                ErrorCode.SINK_TABLE_UNFIT,
                "table " + table.name()
                        + ": expected columns whose names differ in Avro, where characters other than A-Z,"
                        + " a-z, 0-9 and _ become _, found " + found + ", which are both " + name
                        + "; rename one of them, or leave the table out");
    }

    private Schema.Field field(String name, ChangeColumn column) {
        Schema type = type(column);
        Object value = defaultOf(column, type);
        if (!column.definition().nullable()) {
            return value == null ? new Schema.Field(name, type) : new Schema.Field(name, type, null, value);
        }
        Schema none = Schema.create(Schema.Type.NULL);
        return value == null
                ? new Schema.Field(name, Schema.createUnion(none, type), null, JsonProperties.NULL_VALUE)
                : new Schema.Field(name, Schema.createUnion(type, none), null, value);
    }

    /** Whether NULL is the first branch of the union of a field. */
    static boolean isNullFirst(Schema.Field field) {
        return field.schema().isUnion() && field.schema().getTypes().get(0).getType() == Schema.Type.NULL;
    }

    /** Whether its values can be above 2^63 - 1. */
    static boolean isHuge(ChangeColumn column) {
        return column.isUnsigned() && column.type().name().equals("bigint");
    }

    private Schema type(ChangeColumn column) {
        SqlType type = column.type();
        Schema schema = plainType(column);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("tidb_type", tidbType(column));
        parameters.put("tributary_type", type.hasValues() ? type.name() : CreateTable.typeText(type));
        if (type.name().equals("bit")) {
            parameters.put("length", Integer.toString(type.length()));
        }
        if (type.hasValues()) {
            parameters.put(
                    "allowed",
                    type.values().stream()
                            .map(value -> value.replace(",", "\\,"))
                            .collect(Collectors.joining(",")));
        }
        schema.addProp("connect.parameters", parameters);
        return schema;
    }

    private Schema plainType(ChangeColumn column) {
        SqlType type = column.type();
        return switch (column.kind()) {
            case INTEGER -> integer(column);
            case YEAR -> Schema.create(Schema.Type.INT);
            case FLOAT -> Schema.create(Schema.Type.FLOAT);
            case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
            case DECIMAL ->
                options.decimals() == AvroOptions.Decimals.STRING
                        ? Schema.create(Schema.Type.STRING)
                        : decimal(type.length(), type.decimals());
            case BIT, BYTES, GEOMETRY -> Schema.create(Schema.Type.BYTES);
            case DATE, TIME, DATETIME, TIMESTAMP, ENUM, SET, TEXT, JSON, VECTOR -> Schema.create(Schema.Type.STRING);
        };
    }

    private Schema integer(ChangeColumn column) {
        if (isHuge(column)) {
            return switch (options.unsigned()) {
                case STRING -> Schema.create(Schema.Type.STRING);
                case DECIMAL -> decimal(UNSIGNED_DIGITS, 0);
                case LONG -> Schema.create(Schema.Type.LONG);
            };
        }
        String name = column.type().name();
        boolean isLong = name.equals("bigint") || name.equals("int") && column.isUnsigned();
        return Schema.create(isLong ? Schema.Type.LONG : Schema.Type.INT);
    }

    private static Schema decimal(int precision, int scale) {
        return LogicalTypes.decimal(precision, scale).addToSchema(Schema.create(Schema.Type.BYTES));
    }

    private static String tidbType(ChangeColumn column) {
        return switch (column.kind()) {
            case INTEGER ->
                (column.type().name().equals("bigint") ? "BIGINT" : "INT") + (column.isUnsigned() ? " UNSIGNED" : "");
            case BYTES, GEOMETRY -> "BLOB";
            case VECTOR -> "TiDBVECTORFloat32";
            case TEXT -> "TEXT";
            default -> column.kind().name();
        };
    }

    /** The default of a field, as Avro's library takes it; null if there is none. */
    private static Object defaultOf(ChangeColumn column, Schema type) {
        boolean isConstant = column.definition().defaultValue() instanceof Default.Literal;
        if (!isConstant || type.getLogicalType() != null) {
            return null;
        }
        String text = ((Default.Literal) column.definition().defaultValue()).value();
        return switch (type.getType()) {
            case INT -> Integer.parseInt(text);
            case LONG ->
                Long.parseUnsignedLong(text.startsWith("-") ? text.substring(1) : text)
                        * (text.startsWith("-") ? -1 : 1);
            case FLOAT -> Float.parseFloat(text);
            case DOUBLE -> Double.parseDouble(text);
            case BYTES -> column.type().name().equals("bit") ? bits(text) : text;
            default -> text;
        };
    }

    /** The bytes of a BIT, each as a character, as defaults of bytes are written. */
    private static String bits(String digits) {
        long value = digits.isEmpty() ? 0 : Long.parseUnsignedLong(digits, 2);
        StringBuilder text = new StringBuilder();
        do {
            text.insert(0, (char) (value & 0xff));
            value >>>= Byte.SIZE;
        } while (value != 0);
        return text.toString();
    }
}
