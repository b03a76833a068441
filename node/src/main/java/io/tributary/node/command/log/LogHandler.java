package io.tributary.node.command.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeHandler;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.changes.ValueKind;
import io.tributary.common.value.TableName;
import io.tributary.node.command.order.StoredFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Passes the selected rows and statements of transactions to an output, until there are enough. For one thread. */
final class LogHandler implements ChangeHandler {
    private final LogSelection selection;
    private final SelectedChanges output;
    private final long most;
    private final RowChange rows = new RowChange();
    private ChangeTransaction transaction;
    private String file = "";
    private long position;
    private long found;
    private boolean hasMore;

    /** @param most rows and statements */
    LogHandler(LogSelection selection, SelectedChanges output, long most) {
        this.selection = selection;
        this.output = output;
        this.most = most;
    }

    /** Sets where the next transaction begins. */
    void at(String ofFile, long offset) {
        file = ofFile;
        position = offset;
    }

    /** The rows and statements so far. */
    long found() {
        return found;
    }

    /** The last transaction that has begun; empty before the first. */
    Optional<ChangeTransaction> last() {
        return Optional.ofNullable(transaction);
    }

    /** The length of the largest event that is read, in bytes. */
    int largestEvent() {
        return output.largestEvent();
    }

    /** Whether there are more than the limit. */
    boolean hasMore() {
        return hasMore;
    }

    @Override
    public boolean wants(TableName table) {
        return selection.wants(table);
    }

    @Override
    public void begin(ChangeTransaction begun) {
        transaction = new ChangeTransaction(begun.gtid(), begun.committedMicros(), file, position);
    }

    @Override
    public void rows(ChangeTable table, ByteBuffer view, int at, int end) {
        requireKey(table);
        rows.begin(table, view, at, end);
        try {
            while (!hasMore && rows.next()) {
                if (hasKey(table) && counts()) {
                    output.row(transaction, rows);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean counts() {
        hasMore = found == most;
        found += hasMore ? 0 : 1;
        return !hasMore;
    }

    private void requireKey(ChangeTable table) {
        int columns = table.handle().size();
        if (!selection.key().isEmpty() && selection.key().size() != columns) {
            throw StoredFiles.refused("expected values for the "
                    + (columns == 0
                            ? "key of " + table.name() + ", which has none"
                            : columns + (columns == 1 ? " column" : " columns") + " of the key of " + table.name())
                    + ", found " + selection.key().size());
        }
    }

    private boolean hasKey(ChangeTable table) {
        if (selection.key().isEmpty()) {
            return true;
        }
        return switch (rows.operation()) {
            case INSERT -> hasKey(table, rows.after());
            case DELETE -> hasKey(table, rows.before());
            case UPDATE -> hasKey(table, rows.before()) || hasKey(table, rows.after());
        };
    }

    private boolean hasKey(ChangeTable table, RowImage image) {
        List<ChangeColumn> handle = table.handle();
        for (int i = 0; i < handle.size(); i++) {
            if (!text(handle.get(i), image).equals(selection.key().get(i))) {
                return false;
            }
        }
        return true;
    }

    /** A value as text, bytes in hexadecimal digits; "NULL" for NULL. */
    static String text(ChangeColumn column, RowImage image) {
        if (column.isNull(image)) {
            return "NULL";
        }
        if (isBinary(column)) {
            return HexFormat.of().formatHex(column.bytes(image));
        }
        ByteBuf text = Unpooled.buffer();
        column.appendText(text, image);
        return text.toString(StandardCharsets.UTF_8);
    }

    /** Whether its values have no text. */
    static boolean isBinary(ChangeColumn column) {
        return column.kind() == ValueKind.BYTES
                || column.kind() == ValueKind.GEOMETRY
                || column.kind() == ValueKind.VECTOR;
    }

    @Override
    public void statement(ChangeStatement statement) {
        if (!selection.key().isEmpty() && !output.needsStatements()) {
            return;
        }
        boolean isWanted = selection.table().isEmpty()
                || statement.targets().isEmpty()
                || statement.targets().stream()
                        .anyMatch(target -> selection.wants(target)
                                || target.table().isEmpty()
                                        && target.schema()
                                                .equals(selection.table().get().schema()));
        try {
            if (isWanted && !hasMore && counts()) {
                output.statement(transaction, statement);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The current transaction cannot be read. */
    void unreadable(String why) throws IOException {
        if (!hasMore && counts()) {
            output.unreadable(transaction, why);
        }
    }

    @Override
    public void end(String endFile, long end) {
        // each row is passed on when it is read
    }
}
