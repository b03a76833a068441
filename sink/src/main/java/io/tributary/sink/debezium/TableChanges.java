package io.tributary.sink.debezium;

import io.tributary.changes.ChangeStatement;
import io.tributary.common.value.TableName;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.CreateTable;
import io.tributary.sink.json.JsonOutput;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The member {@code tableChanges} of messages for statements: the definitions of the tables after a statement. */
final class TableChanges {
    private final JsonOutput out;

    TableChanges(JsonOutput out) {
        this.out = out;
    }

    void write(ChangeStatement statement) {
        out.ascii("\"tableChanges\":[");
        boolean isFirst = true;
        for (TableName target : statement.targets()) {
            if (target.table().isEmpty()) {
                continue;
            }
            if (!isFirst) {
                out.character(',');
            }
            isFirst = false;
            change(statement, target);
        }
        out.character(']');
    }

    private void change(ChangeStatement statement, TableName target) {
        Optional<TableDefinition> after = statement.tables().stream()
                .filter(table -> table.name().equals(target))
                .findFirst();
        String type = after.isEmpty() ? "DROP" : statement.verb().startsWith("CREATE TABLE") ? "CREATE" : "ALTER";
        out.ascii("{\"type\":\"" + type + "\",\"id\":");
        out.string("\"" + target.schema() + "\".\"" + target.table() + "\"").ascii(",\"table\":");
        if (after.isPresent()) {
            table(after.get());
        } else {
            out.ascii("null");
        }
        out.character('}');
    }

    private void table(TableDefinition table) {
        out.ascii("{\"defaultCharsetName\":");
        text(charset(table.collation()));
        out.ascii(",\"primaryKeyColumnNames\":[");
        List<KeyPart> parts = table.primaryKey().map(key -> key.parts()).orElse(List.of());
        for (int i = 0; i < parts.size(); i++) {
            out.ascii(i == 0 ? "" : ",").string(parts.get(i).column());
        }
        out.ascii("],\"columns\":[");
        for (int i = 0; i < table.columns().size(); i++) {
            out.ascii(i == 0 ? "" : ",");
            column(table.columns().get(i), i + 1);
        }
        out.ascii("],\"comment\":null}");
    }

    private void column(Column column, int position) {
        SqlType type = column.type();
        String name = (type.name() + (type.unsigned() ? " unsigned" : "") + (type.zerofill() ? " zerofill" : ""))
                .toUpperCase(Locale.ROOT);
        out.ascii("{\"name\":").string(column.name());
        out.ascii(",\"jdbcType\":").integer(DebeziumTypes.jdbc(type)).ascii(",\"nativeType\":null");
        out.ascii(",\"typeName\":").string(name).ascii(",\"typeExpression\":").string(CreateTable.typeText(type));
        out.ascii(",\"charsetName\":");
        text(charset(type.collation()));
        out.ascii(",\"length\":");
        number(type.hasValues() || type.length() == 0 ? digits(type) : type.length());
        out.ascii(",\"scale\":");
        number(type.name().equals("decimal") ? type.decimals() : -1);
        out.ascii(",\"position\":").integer(position);
        out.ascii(",\"optional\":" + column.nullable() + ",\"autoIncremented\":" + column.autoIncrement());
        out.ascii(",\"generated\":" + column.generation().isPresent() + ",\"comment\":null");
        out.ascii(",\"defaultValueExpression\":");
        text(defaultValue(column));
        out.ascii(",\"enumValues\":");
        values(type.values());
        out.character('}');
    }

    /** Digits of the fraction of a second; -1 for none. */
    private static int digits(SqlType type) {
        return type.decimals() > 0 ? type.decimals() : -1;
    }

    private static String charset(String collation) {
        return Collations.named(collation).map(own -> own.charset()).orElse(null);
    }

    private static String defaultValue(Column column) {
        if (column.defaultValue() instanceof Default.Literal literal) {
            return literal.value();
        }
        return column.defaultValue() instanceof Default.Expression expression ? expression.text() : null;
    }

    private void values(List<String> values) {
        if (values.isEmpty()) {
            out.ascii("null");
            return;
        }
        out.character('[');
        for (int i = 0; i < values.size(); i++) {
            out.ascii(i == 0 ? "" : ",").string(values.get(i));
        }
        out.character(']');
    }

    private void text(String value) {
        if (value == null) {
            out.ascii("null");
        } else {
            out.string(value);
        }
    }

    private void number(int value) {
        if (value < 0) {
            out.ascii("null");
        } else {
            out.integer(value);
        }
    }

    static ConnectSchema schema() {
        ConnectSchema text = ConnectSchema.of("string", false);
        ConnectSchema optionalText = ConnectSchema.of("string", true);
        ConnectSchema optionalNumber = ConnectSchema.of("int32", true);
        ConnectSchema flag = ConnectSchema.of("boolean", true);
        ConnectSchema column = ConnectSchema.of("struct", false)
                .as("io.debezium.connector.schema.Column", 1)
                .field("name", text)
                .field("jdbcType", ConnectSchema.of("int32", false))
                .field("nativeType", optionalNumber)
                .field("typeName", text)
                .field("typeExpression", optionalText)
                .field("charsetName", optionalText)
                .field("length", optionalNumber)
                .field("scale", optionalNumber)
                .field("position", ConnectSchema.of("int32", false))
                .field("optional", flag)
                .field("autoIncremented", flag)
                .field("generated", flag)
                .field("comment", optionalText)
                .field("defaultValueExpression", optionalText)
                .field("enumValues", ConnectSchema.array(text, true));
        ConnectSchema table = ConnectSchema.of("struct", true)
                .as("io.debezium.connector.schema.Table", 1)
                .field("defaultCharsetName", optionalText)
                .field("primaryKeyColumnNames", ConnectSchema.array(text, true))
                .field("columns", ConnectSchema.array(column, false))
                .field("comment", optionalText);
        return ConnectSchema.array(
                ConnectSchema.of("struct", false)
                        .as("io.debezium.connector.schema.Change", 1)
                        .field("type", text)
                        .field("id", text)
                        .field("table", table),
                false);
    }
}
