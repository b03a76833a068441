package io.tributary.sink.route;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The handle key of a table with one definition. Immutable. */
public final class HandleKey {
    private static final int MOST_BYTES = 64;

    private final HashedValue[] columns;

    /** Prepares a table; it may have no handle key. */
    public HandleKey(ChangeTable table) {
        this.columns = table.handle().stream().map(HashedValue::new).toArray(HashedValue[]::new);
    }

    /** Whether an UPDATE changes it. */
    public boolean isChanged(RowChange update) {
        for (HashedValue each : columns) {
            if (!each.isSame(update.before(), update.after())) {
                return true;
            }
        }
        return false;
    }

    /** The columns and values of a row, for messages; {@code no key} if there are none. */
    public String describe(RowImage row) {
        StringBuilder text = new StringBuilder();
        for (HashedValue each : columns) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(each.column().name())
                    .append('=')
                    .append(shown(each.column(), row));
        }
        return text.isEmpty() ? "no key" : text.toString();
    }

    private static String shown(ChangeColumn column, RowImage row) {
        return switch (column.kind()) {
            case BYTES, GEOMETRY, VECTOR -> {
                StringBuilder hex = new StringBuilder("0x");
                byte[] bytes = column.bytes(row);
                for (int i = 0; i < Math.min(bytes.length, MOST_BYTES); i++) {
                    hex.append(String.format(Locale.ROOT, "%02x", bytes[i]));
                }
                yield hex.toString();
            }
            default -> {
                ByteBuf out = Unpooled.buffer();
                column.appendText(out, row);
                String all = out.toString(StandardCharsets.UTF_8);
                yield all.length() > MOST_BYTES ? all.substring(0, MOST_BYTES) + "..." : all;
            }
        };
    }
}
