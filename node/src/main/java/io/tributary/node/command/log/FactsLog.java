package io.tributary.node.command.log;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.common.gtid.Gtid;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Prints changes as facts, one object for each row or statement: as lines of JSON, or as the items of a YAML list. Integers, BIT, YEAR, FLOAT and DOUBLE are numbers; DECIMAL, times, ENUM, SET,
 * characters and JSON are texts; bytes are base64.
 */
final class FactsLog implements SelectedChanges {
    private final PrintWriter out;
    private final Function<Gtid, List<String>> shards;
    private final Function<Map<String, Object>, String> form;
    private Gtid last;
    private List<String> lastShards = List.of();

    /**
     * @param shards the shards of a transaction; an empty list is not printed
     * @param form the text of one object, with the end of its last line
     */
    FactsLog(PrintWriter out, Function<Gtid, List<String>> shards, Function<Map<String, Object>, String> form) {
        this.form = form;
        this.out = out;
        this.shards = shards;
    }

    private Map<String, Object> facts(ChangeTransaction transaction) {
        if (!transaction.gtid().equals(last)) {
            last = transaction.gtid();
            lastShards = shards.apply(last);
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("gtid", transaction.gtid().toString());
        facts.put("time", TextLog.time(transaction));
        facts.put("file", transaction.file());
        facts.put("position", transaction.position());
        if (!lastShards.isEmpty()) {
            facts.put("shards", lastShards);
        }
        return facts;
    }

    private void print(Map<String, Object> facts) throws IOException {
        out.print(form.apply(facts));
        TextLog.requireOpen(out);
    }

    @Override
    public void row(ChangeTransaction transaction, RowChange row) throws IOException {
        ChangeTable table = row.table();
        Map<String, Object> facts = facts(transaction);
        facts.put("schema", table.name().schema());
        facts.put("table", table.name().table());
        facts.put("op", row.operation().toString());
        facts.put("key", values(table.handle(), row.newest()));
        facts.put("before", row.operation() == Operation.INSERT ? null : values(table.columns(), row.before()));
        facts.put("after", row.operation() == Operation.DELETE ? null : values(table.columns(), row.after()));
        print(facts);
    }

    private static Map<String, Object> values(List<ChangeColumn> columns, RowImage image) {
        Map<String, Object> values = new LinkedHashMap<>();
        columns.forEach(column -> values.put(column.name(), column.isNull(image) ? null : value(column, image)));
        return values;
    }

    private static Object value(ChangeColumn column, RowImage image) {
        return switch (column.kind()) {
            case INTEGER, BIT ->
                column.isUnsigned() || column.integer(image) < 0 && !isSigned(column)
                        ? new BigInteger(Long.toUnsignedString(column.integer(image)))
                        : column.integer(image);
            case YEAR -> column.integer(image);
            case FLOAT, DOUBLE -> new BigDecimal(LogHandler.text(column, image));
            case BYTES, GEOMETRY, VECTOR -> Base64.getEncoder().encodeToString(column.bytes(image));
            default -> LogHandler.text(column, image);
        };
    }

    private static boolean isSigned(ChangeColumn column) {
        return column.type().isInteger() && !column.isUnsigned();
    }

    @Override
    public boolean needsStatements() {
        return false;
    }

    @Override
    public void statement(ChangeTransaction transaction, ChangeStatement statement) throws IOException {
        Map<String, Object> facts = facts(transaction);
        facts.put("schema", statement.schema());
        facts.put("statement", statement.text());
        print(facts);
    }

    @Override
    public void unreadable(ChangeTransaction transaction, String why) throws IOException {
        Map<String, Object> facts = facts(transaction);
        facts.put("unreadable", why);
        print(facts);
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
