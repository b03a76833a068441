package io.tributary.sink.avro;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import io.tributary.sink.registry.SchemaIds;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;

/**
 * Avro with a schema registry (Confluent Platform, "Wire Format"): the key is a record of the handle key, the value one of all columns; a DELETE has no
 * value. There are no messages for DDL and no watermarks. The subjects are {@code <topic>-key} and {@code <topic>-value} (TopicNameStrategy) with the
 * topic's name as it is, dots included, where the serializers of Confluent look; readers use the id in the message.
 */
public final class AvroFormat implements MessageFormat {
    private final RecordSchemas schemas;
    private final SchemaIds ids;
    private final Map<String, TableName> tableOfTopic = new ConcurrentHashMap<>();
    private final Map<String, TableName> tableOfRecord = new ConcurrentHashMap<>();

    public AvroFormat(FormatOptions format, AvroOptions options, SchemaIds ids) {
        this.schemas = new RecordSchemas(format.name(), options, format.extension());
        this.ids = ids;
    }

    /**
     * Prepares a table and registers its schemas; blocks as {@link SchemaIds#id} does.
     *
     * @throws TributaryException SINK_TABLE_UNFIT for a table without a handle key, for names that are not different in Avro, and for a second table of a
     *     topic; SINK_REGISTRY_FAILED
     */
    @Override
    public RowFormat table(ChangeTable table, String topic) {
        if (table.handle().isEmpty()) {
            throw unfit(
                    table,
                    "a primary key, or a unique key of whole NOT NULL columns, as the message of a DELETE has only the key",
                    "none; add a key, or leave the table out");
        }
        Schema key = schemas.key(table);
        Schema value = schemas.value(table);
        requireAlone(table, topic, value.getFullName());
        int keyId = ids.id(topic + "-key", key.toString());
        int valueId = ids.id(topic + "-value", value.toString());
        return new AvroRows(
                new AvroRows.AvroRecord(keyId, columns(table.handle(), key)),
                new AvroRows.AvroRecord(valueId, columns(table.columns(), value)),
                schemas.extension());
    }

    /** The versions of a subject are in the order of the table's changes, as each one must be compatible with the one before it. */
    @Override
    public boolean isPreparedInOrder() {
        return true;
    }

    private void requireAlone(ChangeTable table, String topic, String record) {
        TableName other = tableOfRecord.putIfAbsent(record, table.name());
        if (other != null && !other.equals(table.name())) {
            throw unfit(
                    table,
                    "a name that differs from those of other tables in Avro, where characters other than A-Z, a-z, 0-9 and _"
                            + " become _",
                    "table " + other + ", which is also " + record + "; rename one of them, or leave one out");
        }
        TableName before = tableOfTopic.putIfAbsent(topic, table.name());
        if (before != null && !before.equals(table.name())) {
            throw unfit(
                    table,
                    "a topic of its own, as a subject of the registry has the schema of one table",
                    "topic " + topic + " of table " + before
                            + "; use {schema} and {table} in the names of topics, or leave one of the tables out");
        }
    }

    private static TributaryException unfit(ChangeTable table, String expected, String found) {
        return new TributaryException(
                ErrorCode.SINK_TABLE_UNFIT, "table " + table.name() + ": expected " + expected + ", found " + found);
    }

    private AvroColumn[] columns(List<ChangeColumn> columns, Schema schema) {
        AvroColumn[] all = new AvroColumn[columns.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = new AvroColumn(
                    columns.get(i),
                    schemas.options(),
                    RecordSchemas.isNullFirst(schema.getFields().get(i)));
        }
        return all;
    }

    @Override
    public boolean hasStatements() {
        return false;
    }

    @Override
    public boolean statementKey(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        return false;
    }

    @Override
    public void statementValue(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        throw new IllegalStateException("avro has no messages for statements");
    }

    @Override
    public boolean hasWatermarks() {
        return false;
    }

    @Override
    public boolean watermarkKey(ByteBuf out, RowPlace place) {
        return false;
    }

    @Override
    public void watermarkValue(ByteBuf out, RowPlace place) {
        throw new IllegalStateException("avro has no watermarks");
    }
}
