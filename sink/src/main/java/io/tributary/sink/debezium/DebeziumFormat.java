package io.tributary.sink.debezium;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.common.value.TableName;
import io.tributary.sink.json.JsonOutput;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.nio.charset.StandardCharsets;

/**
 * debezium-json: the messages that Debezium's connector for MySQL and Kafka Connect's JsonConverter write, with the place in the global binlog in
 * {@code source}. The key has the columns of the handle key.
 */
public final class DebeziumFormat implements MessageFormat {
    private static final String CONNECTOR = "io.debezium.connector.mysql.";

    private final FormatOptions options;
    private final DecimalForm decimals;

    /** With the form of DECIMAL and BIGINT UNSIGNED that loses nothing. */
    public DebeziumFormat(FormatOptions options) {
        this(options, DecimalForm.exact(options.schemas()));
    }

    public DebeziumFormat(FormatOptions options, DecimalForm decimals) {
        this.options = options;
        this.decimals = decimals;
    }

    @Override
    public RowFormat table(ChangeTable table, String topic) {
        return new DebeziumRows(table, options, decimals);
    }

    @Override
    public boolean hasStatements() {
        return true;
    }

    @Override
    public boolean statementKey(ByteBuf to, ChangeStatement statement, TableName table, RowPlace place) {
        JsonOutput out = new JsonOutput();
        begin(
                out,
                ConnectSchema.of("struct", false)
                        .as(CONNECTOR + "SchemaChangeKey", 1)
                        .field("databaseName", ConnectSchema.of("string", false)));
        out.ascii("{\"databaseName\":").string(table.schema()).character('}');
        end(out, to);
        return true;
    }

    private void begin(JsonOutput out, ConnectSchema schema) {
        if (options.schemas()) {
            out.ascii("{\"schema\":").raw(bytes(schema.text())).ascii(",\"payload\":");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void end(JsonOutput out, ByteBuf to) {
        if (options.schemas()) {
            out.character('}');
        }
        out.appendTo(to);
    }

    @Override
    public void statementValue(ByteBuf to, ChangeStatement statement, TableName table, RowPlace place) {
        JsonOutput out = new JsonOutput();
        begin(out, statementSchema());
        out.character('{');
        new SourceBlock(options.name(), table).write(out, place);
        out.ascii(",\"ts_ms\":").integer(place.builtMillis());
        out.ascii(",\"databaseName\":").string(table.schema());
        out.ascii(",\"schemaName\":null,\"ddl\":").string(statement.text()).character(',');
        new TableChanges(out).write(statement);
        out.character('}');
        end(out, to);
    }

    private static ConnectSchema statementSchema() {
        ConnectSchema text = ConnectSchema.of("string", true);
        return ConnectSchema.of("struct", false)
                .as(CONNECTOR + "SchemaChangeValue", 1)
                .field("source", SourceBlock.schema())
                .field("ts_ms", ConnectSchema.of("int64", false))
                .field("databaseName", text)
                .field("schemaName", text)
                .field("ddl", text)
                .field("tableChanges", TableChanges.schema());
    }

    @Override
    public boolean hasWatermarks() {
        return options.extension();
    }

    @Override
    public boolean watermarkKey(ByteBuf out, RowPlace place) {
        return false;
    }

    @Override
    public void watermarkValue(ByteBuf to, RowPlace place) {
        JsonOutput out = new JsonOutput();
        begin(
                out,
                ConnectSchema.of("struct", false)
                        .as(options.name() + ".watermark.Envelope", 1)
                        .field("source", SourceBlock.schema())
                        .field("op", ConnectSchema.of("string", false))
                        .field("ts_ms", ConnectSchema.of("int64", true)));
        out.character('{');
        new SourceBlock(options.name(), new TableName("", "")).write(out, place);
        out.ascii(",\"op\":\"m\",\"ts_ms\":").integer(place.builtMillis()).character('}');
        end(out, to);
    }
}
