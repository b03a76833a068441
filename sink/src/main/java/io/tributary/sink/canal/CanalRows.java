package io.tributary.sink.canal;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.sink.json.JsonOutput;
import io.tributary.sink.json.PlaceText;
import io.tributary.sink.json.ValueText;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Rows of a table in canal-json. */
final class CanalRows implements RowFormat {
    private static final byte[] INSERT = ascii("INSERT\",\"es\":");
    private static final byte[] UPDATE = ascii("UPDATE\",\"es\":");
    private static final byte[] DELETE = ascii("DELETE\",\"es\":");
    private static final byte[] BUILT = ascii(",\"ts\":");
    private static final byte[] SQL = ascii(",\"sql\":\"\"");
    private static final byte[] NO_OLD = ascii(",\"old\":null");
    private static final byte[] OLD = ascii(",\"old\":[{");
    private static final byte[] DATA = ascii(",\"data\":[{");
    private static final byte[] END = ascii("}]");

    private final FormatOptions options;
    private final JsonOutput out = new JsonOutput();
    private final ValueText values = new ValueText(out);
    private final PlaceText places = new PlaceText();
    private final byte[] head;
    private final List<CanalColumn> columns;
    private final CanalTypes types;
    private final List<CanalColumn> handle;
    private final CanalTypes handleTypes;

    CanalRows(ChangeTable table, FormatOptions options) {
        this.options = options;
        this.columns = columns(table.columns());
        this.types = new CanalTypes(columns, options.fullTypes());
        this.handle = columns(table.handle());
        this.handleTypes = new CanalTypes(handle, options.fullTypes());
        this.head = head(table);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static List<CanalColumn> columns(List<ChangeColumn> columns) {
        return columns.stream().map(CanalColumn::new).toList();
    }

    private static byte[] head(ChangeTable table) {
        JsonOutput head = new JsonOutput();
        head.ascii("{\"id\":0,\"database\":").string(table.name().schema());
        head.ascii(",\"table\":").string(table.name().table()).ascii(",\"pkNames\":");
        if (table.handle().isEmpty()) {
            head.ascii("null");
        } else {
            List<String> names = new ArrayList<>();
            table.handle().forEach(column -> names.add(column.name()));
            head.character('[').string(names.get(0));
            names.subList(1, names.size()).forEach(name -> head.character(',').string(name));
            head.character(']');
        }
        return head.ascii(",\"isDdl\":false,\"type\":\"").toBytes();
    }

    @Override
    public boolean key(ByteBuf to, RowChange row) {
        if (!options.handleKeys() || handle.isEmpty()) {
            return false;
        }
        out.clear().character('{');
        write(handle, row.newest());
        out.character('}').appendTo(to);
        return true;
    }

    @Override
    public boolean value(ByteBuf to, RowChange row, RowPlace place) {
        boolean isUpdate = row.operation() == Operation.UPDATE;
        begin(row, place);
        types.write(out, row.newest());
        if (!isUpdate) {
            out.raw(NO_OLD);
        } else if (options.onlyChanged()) {
            out.raw(OLD);
            writeChanged(row.before(), row.after());
            out.raw(END);
        } else {
            out.raw(OLD);
            write(columns, row.before());
            out.raw(END);
        }
        out.raw(DATA);
        write(columns, row.newest());
        out.raw(END);
        if (options.extension()) {
            extension(place);
            out.character('}');
        }
        out.character('}').appendTo(to);
        return true;
    }

    private void begin(RowChange row, RowPlace place) {
        out.clear().raw(head);
        out.raw(
                switch (row.operation()) {
                    case INSERT -> INSERT;
                    case UPDATE -> UPDATE;
                    case DELETE -> DELETE;
                });
        out.integer(place.committedMillis())
                .raw(BUILT)
                .integer(place.builtMillis())
                .raw(SQL);
    }

    private void write(List<CanalColumn> all, RowImage image) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).write(out, values, image, i == 0);
        }
    }

    private void writeChanged(RowImage before, RowImage after) {
        boolean isFirst = true;
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isChanged(before, after)) {
                columns.get(i).write(out, values, before, isFirst);
                isFirst = false;
            }
        }
    }

    private void extension(RowPlace place) {
        CanalFormat.extension(out, places, place);
        out.ascii(",\"row\":").integer(place.row());
    }

    @Override
    public boolean handleValue(ByteBuf to, RowChange row, RowPlace place, String location) {
        if (handle.isEmpty()) {
            return false;
        }
        begin(row, place);
        handleTypes.write(out, row.newest());
        if (row.operation() == Operation.UPDATE) {
            out.raw(OLD);
            write(handle, row.before());
            out.raw(END);
        } else {
            out.raw(NO_OLD);
        }
        out.raw(DATA);
        write(handle, row.newest());
        out.raw(END);
        extension(place);
        out.ascii(",\"onlyHandleKey\":true");
        if (!location.isEmpty()) {
            out.ascii(",\"claimCheckLocation\":").string(location);
        }
        out.ascii("}}").appendTo(to);
        return true;
    }
}
