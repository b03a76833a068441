package io.tributary.sink.debezium;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.sink.json.JsonOutput;
import io.tributary.sink.json.ValueText;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Rows of a table in debezium-json. */
final class DebeziumRows implements RowFormat {
    private static final byte[] NULL = ascii("null");
    private static final byte[] AFTER = ascii(",\"after\":");
    private static final byte[] NO_TRANSACTION = ascii(",\"transaction\":null,\"op\":\"");
    private static final byte[] TRANSACTION = ascii(",\"transaction\":{\"id\":");
    private static final byte[] TOTAL_ORDER = ascii(",\"total_order\":");
    private static final byte[] TABLE_ORDER = ascii(",\"data_collection_order\":");
    private static final byte[] OPERATION = ascii("},\"op\":\"");
    private static final byte[] MILLIS = ascii("\",\"ts_ms\":");
    private static final byte[] MICROS = ascii(",\"ts_us\":");
    private static final byte[] NANOS = ascii(",\"ts_ns\":");

    private final JsonOutput out = new JsonOutput();
    private final ValueText values = new ValueText(out);
    private final boolean hasSchemas;
    private final List<DebeziumColumn> columns;
    private final List<DebeziumColumn> handle;
    private final SourceBlock source;
    private final byte[] keyHead;
    private final byte[] head;
    private final byte[] handleHead;

    DebeziumRows(ChangeTable table, FormatOptions options, DecimalForm decimals) {
        this.hasSchemas = options.schemas();
        this.columns = DebeziumColumn.all(table.columns(), decimals);
        this.handle = DebeziumColumn.all(table.handle(), decimals);
        this.source = new SourceBlock(options.name(), table.name());
        String name = options.name() + "." + table.name();
        this.keyHead = head(struct(handle, false).as(name + ".Key", 0), "");
        this.head = head(envelope(name, columns, false), "{\"before\":");
        this.handleHead = head(envelope(name, handle, true), "{\"before\":");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] head(ConnectSchema schema, String begin) {
        String head = hasSchemas ? "{\"schema\":" + schema.text() + ",\"payload\":" + begin : begin;
        return head.getBytes(StandardCharsets.UTF_8);
    }

    private static ConnectSchema struct(List<DebeziumColumn> columns, boolean isOptional) {
        ConnectSchema struct = ConnectSchema.of("struct", isOptional);
        for (DebeziumColumn column : columns) {
            struct = struct.field(column.name(), column.schema());
        }
        return struct;
    }

    private static ConnectSchema envelope(String name, List<DebeziumColumn> columns, boolean isShort) {
        ConnectSchema row = struct(columns, true).as(name + ".Value", 0);
        ConnectSchema millis = ConnectSchema.of("int64", true);
        ConnectSchema envelope = ConnectSchema.of("struct", false)
                .as(name + ".Envelope", 2)
                .field("before", row)
                .field("after", row)
                .field("source", SourceBlock.schema())
                .field("transaction", transaction())
                .field("op", ConnectSchema.of("string", false))
                .field("ts_ms", millis)
                .field("ts_us", millis)
                .field("ts_ns", millis);
        return isShort ? envelope.field("_tributary", extension()) : envelope;
    }

    private static ConnectSchema transaction() {
        return ConnectSchema.of("struct", true)
                .as("event.block", 1)
                .field("id", ConnectSchema.of("string", false))
                .field("total_order", ConnectSchema.of("int64", false))
                .field("data_collection_order", ConnectSchema.of("int64", false));
    }

    private static ConnectSchema extension() {
        return ConnectSchema.of("struct", true)
                .as("io.tributary.Extension", 1)
                .field("onlyHandleKey", ConnectSchema.of("boolean", false))
                .field("claimCheckLocation", ConnectSchema.of("string", true));
    }

    @Override
    public boolean key(ByteBuf to, RowChange row) {
        if (handle.isEmpty()) {
            return false;
        }
        out.clear().raw(keyHead);
        struct(handle, row.newest());
        end();
        out.appendTo(to);
        return true;
    }

    @Override
    public boolean value(ByteBuf to, RowChange row, RowPlace place) {
        out.clear().raw(head);
        change(columns, row, place);
        out.character('}');
        end();
        out.appendTo(to);
        return true;
    }

    @Override
    public boolean handleValue(ByteBuf to, RowChange row, RowPlace place, String location) {
        if (handle.isEmpty()) {
            return false;
        }
        out.clear().raw(handleHead);
        change(handle, row, place);
        out.ascii(",\"_tributary\":{\"onlyHandleKey\":true,\"claimCheckLocation\":");
        if (location.isEmpty()) {
            out.raw(NULL);
        } else {
            out.string(location);
        }
        out.ascii("}}");
        end();
        out.appendTo(to);
        return true;
    }

    private void end() {
        if (hasSchemas) {
            out.character('}');
        }
    }

    private void change(List<DebeziumColumn> of, RowChange row, RowPlace place) {
        if (row.operation() == Operation.INSERT) {
            out.raw(NULL);
        } else {
            struct(of, row.before());
        }
        out.raw(AFTER);
        if (row.operation() == Operation.DELETE) {
            out.raw(NULL);
        } else {
            struct(of, row.after());
        }
        out.character(',');
        source.write(out, place);
        if (place.tableRow() < 0) {
            out.raw(NO_TRANSACTION);
        } else {
            out.raw(TRANSACTION).raw(source.gtid(place)).raw(TOTAL_ORDER).integer(place.row() + 1);
            out.raw(TABLE_ORDER).integer(place.tableRow() + 1).raw(OPERATION);
        }
        out.character(operation(row, place));
        out.raw(MILLIS).integer(place.builtMillis());
        out.raw(MICROS).integer(place.builtMillis() * 1000);
        out.raw(NANOS).integer(place.builtMillis() * 1_000_000);
    }

    private static char operation(RowChange row, RowPlace place) {
        return switch (row.operation()) {
            case INSERT -> place.isSnapshot() ? 'r' : 'c';
            case UPDATE -> 'u';
            case DELETE -> 'd';
        };
    }

    private void struct(List<DebeziumColumn> of, RowImage image) {
        out.character('{');
        for (int i = 0; i < of.size(); i++) {
            of.get(i).write(out, values, image, i == 0);
        }
        out.character('}');
    }
}
