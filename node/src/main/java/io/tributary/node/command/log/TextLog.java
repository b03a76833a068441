package io.tributary.node.command.log;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.changes.ValueKind;
import io.tributary.common.gtid.Gtid;
import io.tributary.serve.sql.SqlTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;

/** Prints changes as text: a line for each transaction, and below it a line for each row and statement. */
final class TextLog implements SelectedChanges {
    private static final int MICROS = 1_000_000;

    private final PrintWriter out;
    private final Function<Gtid, List<String>> shards;
    private Gtid last;

    /** @param shards the shards of a transaction; an empty list is not printed */
    TextLog(PrintWriter out, Function<Gtid, List<String>> shards) {
        this.out = out;
        this.shards = shards;
    }

    /** The commit time in UTC with microseconds; "" if it is not known. */
    static String time(ChangeTransaction of) {
        long micros = of.committedMicros();
        return micros == 0 ? "" : SqlTime.text(micros) + String.format(".%06d", Math.floorMod(micros, MICROS));
    }

    /** Flushes the output, and fails if nobody reads it any more: reading 100 GiB for a closed pipe is of no use. */
    static void requireOpen(PrintWriter out) throws IOException {
        if (out.checkError()) {
            throw new IOException("the output was closed");
        }
    }

    private void begin(ChangeTransaction transaction) {
        if (!transaction.gtid().equals(last)) {
            last = transaction.gtid();
            List<String> of = shards.apply(last);
            out.println(last + "  " + time(transaction) + "  " + transaction.file() + ":" + transaction.position()
                    + (of.isEmpty() ? "" : "  shards " + String.join(",", of)));
        }
    }

    @Override
    public void row(ChangeTransaction transaction, RowChange row) throws IOException {
        begin(transaction);
        ChangeTable table = row.table();
        StringBuilder line = new StringBuilder("  " + row.operation() + " " + table.name());
        String separator = "  ";
        for (ChangeColumn column : table.columns()) {
            boolean isKey = table.handle().contains(column);
            String value = value(column, row.newest());
            if (row.operation() == Operation.UPDATE) {
                String before = value(column, row.before());
                boolean isChanged = !before.equals(value);
                if (!isKey && !isChanged && !table.handle().isEmpty()) {
                    continue;
                }
                value = isChanged ? before + " -> " + value : value;
            }
            line.append(separator).append(column.name()).append('=').append(value);
            separator = ", ";
        }
        out.println(line);
        requireOpen(out);
    }

    private static String value(ChangeColumn column, RowImage image) {
        if (column.isNull(image)) {
            return "NULL";
        }
        String text = LogHandler.text(column, image);
        if (LogHandler.isBinary(column)) {
            return "X'" + text + "'";
        }
        boolean isNumber = switch (column.kind()) {
            case INTEGER, DECIMAL, FLOAT, DOUBLE, BIT, YEAR -> true;
            default -> false;
        };
        return isNumber || column.kind() == ValueKind.JSON ? text : "'" + escaped(text) + "'";
    }

    /** One line: characters that would end it, or change the terminal, as escapes. */
    private static String escaped(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\'' -> line.append("''");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        return line.toString();
    }

    @Override
    public boolean needsStatements() {
        return false;
    }

    @Override
    public void statement(ChangeTransaction transaction, ChangeStatement statement) throws IOException {
        begin(transaction);
        String schema = statement.schema();
        out.println("  STATEMENT" + (schema.isEmpty() ? "" : " in " + schema) + "  " + escaped(statement.text()));
        requireOpen(out);
    }

    @Override
    public void unreadable(ChangeTransaction transaction, String why) throws IOException {
        begin(transaction);
        out.println("  the rest of the transaction cannot be shown: " + escaped(why));
        requireOpen(out);
    }

    @Override
    public void finish() {
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
    }
}
