package io.tributary.sink.simple;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.common.value.TableName;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.replay.row.JsonString;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.write.CreateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The schema of a table in JSON, as DDL and BOOTSTRAP messages have it. Its version is a hash of the definition and its table id one of the name, 52 bits
 * each, which every reader of JSON keeps: they are the same after a restart, and the same again for the same definition.
 */
final class SimpleSchema {
    private static final int BITS = 52;
    private static final String BINARY = "binary";

    private SimpleSchema() {}

    /** The number of a definition. */
    static long version(TableDefinition table) {
        return hash(CreateTable.text(table));
    }

    /** The number of a table. */
    static long tableId(TableName table) {
        return hash(table.toString());
    }

    private static long hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong() >>> Long.SIZE - BITS;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    static void append(ByteBuf out, TableDefinition table) {
        ascii(out, "{\"schema\":");
        JsonString.quoted(out, table.name().schema());
        ascii(out, ",\"table\":");
        JsonString.quoted(out, table.name().table());
        ascii(out, ",\"tableID\":" + tableId(table.name()) + ",\"version\":" + version(table) + ",\"columns\":[");
        for (int i = 0; i < table.columns().size(); i++) {
            ascii(out, i == 0 ? "" : ",");
            column(out, table.columns().get(i));
        }
        ascii(out, "],\"indexes\":[");
        boolean isFirst = true;
        for (TableKey key : table.keys()) {
            if (key.parts().stream().noneMatch(KeyPart::isExpression)) {
                ascii(out, isFirst ? "" : ",");
                isFirst = false;
                index(out, table, key);
            }
        }
        ascii(out, "]}");
    }

    private static void column(ByteBuf out, Column column) {
        SqlType type = column.type();
        ascii(out, "{\"name\":");
        JsonString.quoted(out, column.name());
        ascii(out, ",\"dataType\":{\"mysqlType\":");
        JsonString.quoted(out, type.name());
        boolean isText = type.isCharacter();
        String charset =
                Collations.named(type.collation()).map(Collation::charset).orElse(type.charset());
        ascii(out, ",\"charset\":");
        JsonString.quoted(out, isText ? charset : BINARY);
        ascii(out, ",\"collate\":");
        JsonString.quoted(out, isText ? type.collation() : BINARY);
        ascii(out, ",\"length\":" + type.length());
        if (type.decimals() > 0) {
            ascii(out, ",\"decimal\":" + type.decimals());
        }
        if (type.hasValues()) {
            ascii(out, ",\"elements\":");
            strings(out, type.values());
        }
        ascii(out, type.unsigned() ? ",\"unsigned\":true" : "");
        ascii(out, type.zerofill() ? ",\"zerofill\":true" : "");
        ascii(out, "},\"nullable\":" + column.nullable() + ",\"default\":");
        if (column.defaultValue() instanceof Default.Literal literal) {
            JsonString.quoted(out, literal.value());
        } else if (column.defaultValue() instanceof Default.Expression expression) {
            JsonString.quoted(out, expression.text());
        } else {
            ascii(out, "null");
        }
        ascii(out, "}");
    }

    private static void index(ByteBuf out, TableDefinition table, TableKey key) {
        boolean isPrimary = key.kind() == TableKey.Kind.PRIMARY;
        List<String> columns = key.parts().stream().map(KeyPart::column).toList();
        boolean isNullable = columns.stream()
                .anyMatch(name -> table.column(name).map(Column::nullable).orElse(false));
        ascii(out, "{\"name\":");
        JsonString.quoted(out, isPrimary ? "primary" : key.name());
        ascii(
                out,
                ",\"unique\":" + key.isUnique() + ",\"primary\":" + isPrimary + ",\"nullable\":" + isNullable
                        + ",\"columns\":");
        strings(out, columns);
        ascii(out, "}");
    }

    private static void strings(ByteBuf out, List<String> values) {
        out.writeByte('[');
        for (int i = 0; i < values.size(); i++) {
            ascii(out, i == 0 ? "" : ",");
            JsonString.quoted(out, values.get(i));
        }
        out.writeByte(']');
    }

    private static void ascii(ByteBuf out, String text) {
        ByteBufUtil.writeAscii(out, text);
    }
}
