package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.value.TableName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Keeps what a {@link ChangeInput} reads, with values as texts; bytes in hexadecimal. */
class ReadRows implements ChangeHandler {
    final List<ReadTransaction> transactions = new ArrayList<>();
    private final Predicate<TableName> wanted;
    private final RowChange change = new RowChange();
    private ReadTransaction current;
    private Runnable atEnd = () -> {};

    ReadRows(Predicate<TableName> wanted) {
        this.wanted = wanted;
    }

    /** Runs after each transaction. */
    void atEnd(Runnable action) {
        atEnd = action;
    }

    @Override
    public boolean wants(TableName table) {
        return wanted.test(table);
    }

    @Override
    public void begin(ChangeTransaction transaction) {
        current = new ReadTransaction(transaction, new ArrayList<>(), new ArrayList<>(), "", 0);
    }

    @Override
    public void rows(ChangeTable table, ByteBuffer view, int at, int end) {
        int count = table.rows(view, at, end);
        int before = current.rows().size();
        change.begin(table, view, at, end);
        while (change.next()) {
            Operation operation = change.operation();
            current.rows()
                    .add(new ReadRow(
                            table,
                            operation,
                            operation == Operation.INSERT ? null : texts(table, change.before()),
                            operation == Operation.DELETE ? null : texts(table, change.after())));
        }
        if (current.rows().size() - before != count || count != change.row() + 1) {
            throw new AssertionError(
                    count + " rows counted, read " + (current.rows().size() - before));
        }
    }

    static Map<String, String> texts(ChangeTable table, RowImage image) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (ChangeColumn column : table.columns()) {
            texts.put(column.name(), column.isNull(image) ? null : text(column, image));
        }
        return texts;
    }

    static String text(ChangeColumn column, RowImage image) {
        switch (column.kind()) {
            case BYTES, GEOMETRY, VECTOR -> {
                return HexFormat.of().withUpperCase().formatHex(column.bytes(image));
            }
            default -> {
                ByteBuf out = Unpooled.buffer(1);
                column.appendText(out, image);
                return out.toString(StandardCharsets.UTF_8);
            }
        }
    }

    @Override
    public void statement(ChangeStatement statement) {
        current.statements().add(statement);
    }

    @Override
    public void end(String file, long position) {
        transactions.add(new ReadTransaction(current.begin(), current.rows(), current.statements(), file, position));
        current = null;
        atEnd.run();
    }

    /** All rows. */
    List<ReadRow> rows() {
        return transactions.stream().flatMap(one -> one.rows().stream()).toList();
    }
}
