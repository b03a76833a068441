package io.tributary.seed.change;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.row.StoredText;
import io.tributary.replay.stream.RowImages;
import io.tributary.schema.definition.Column;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A table map of a wanted table: finds the wanted rows in its rows events. For one thread. */
final class ChangedTable {
    private final WantedTable wanted;
    private final TableShape shape;
    private final RowImages images;
    /** Where the columns of the key are in the table map. */
    private final int[] keyAt;

    private final int[] valuesAt;

    ChangedTable(WantedTable wanted, TableShape shape) {
        this.wanted = wanted;
        this.shape = shape;
        this.images = new RowImages(shape);
        this.keyAt = new int[wanted.key().size()];
        this.valuesAt = new int[shape.columnCount() + 1];
        for (int i = 0; i < keyAt.length; i++) {
            keyAt[i] = indexOf(wanted.key().get(i).name());
        }
    }

    /** -1 if there is no such column, or if it is not known which one it was. */
    private int indexOf(String name) {
        boolean hasNames = shape.columnCount() > 0 && !shape.name(0).isEmpty();
        if (!hasNames && shape.columnCount() != wanted.columns().size()) {
            return -1;
        }
        for (int i = 0; i < shape.columnCount(); i++) {
            if ((hasNames ? shape.name(i) : wanted.columns().get(i)).equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Notes the change for each wanted row of a checked rows event; false if its rows cannot be decoded. */
    boolean read(ByteBuffer view, int at, int end, KeyChange change) {
        wanted.whole().forEach(row -> row.changed(change));
        if (keyAt.length == 0) {
            return true;
        }
        boolean isReadable = !RowsEvent.isPartial(EventHeader.type(view, at))
                && RowsEvent.hasAllColumns(view, at)
                && RowsEvent.columnCount(view, at) == images.columns();
        int next = RowsEvent.rowsAt(view, at);
        while (isReadable && next < end) {
            int image = next;
            next = images.end(view, image, end, valuesAt);
            List<String> key = key(view);
            isReadable = key != null && next > image;
            WantedRow row = isReadable ? wanted.row(key) : null;
            if (row != null) {
                row.changed(change);
            }
        }
        return isReadable;
    }

    /** The key of the image whose values are at {@link #valuesAt}; null if it cannot be decoded. */
    private List<String> key(ByteBuffer view) {
        List<String> key = new ArrayList<>(keyAt.length);
        for (int i = 0; i < keyAt.length; i++) {
            Column column = wanted.key().get(i);
            String value = keyAt[i] < 0 || valuesAt[keyAt[i]] == valuesAt[keyAt[i] + 1]
                    ? null
                    : StoredText.of(column, shape, keyAt[i], view, valuesAt[keyAt[i]]);
            if (value == null) {
                return null;
            }
            key.add(value);
        }
        return key;
    }
}
