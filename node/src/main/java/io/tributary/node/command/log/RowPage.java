package io.tributary.node.command.log;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.node.console.RowSearch;
import io.tributary.node.process.StopSignal;
import io.tributary.node.text.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects changes as maps for one answer of the web console. It requests the stop of the search when the answer is full: after a number of changes,
 * or of bytes. For one thread.
 */
final class RowPage implements SelectedChanges {
    private static final int MOST_BYTES = 256 << 10;
    private static final int MOST_VALUE = 1000; // bytes; of longer values only the length is shown
    private static final int MOST_TEXT = 2000;
    private static final int LARGEST_EVENT = 16 << 20;

    private final boolean showsValues;
    private final StopSignal stop;
    private final SearchPlace from;
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private long bytes;
    private long gno; // of the newest transaction with selected changes
    private long passed; // its changes that are in this answer or in earlier ones

    /** @param from the changes before it were in earlier answers */
    RowPage(boolean showsValues, StopSignal stop, SearchPlace from) {
        this.showsValues = showsValues;
        this.stop = stop;
        this.from = from;
    }

    /** The changes. */
    List<Map<String, Object>> rows() {
        return rows;
    }

    /** The number of changes of a transaction that are in this answer or in earlier ones. */
    long passed(long of) {
        return of == gno ? passed : of == from.gno() ? from.changes() : 0;
    }

    /** Whether a change belongs to this answer. */
    private boolean isWanted(ChangeTransaction transaction) {
        if (isFull()) {
            return false;
        }
        if (transaction.gtid().gno() != gno) {
            gno = transaction.gtid().gno();
            passed = 0;
        }
        passed++;
        return gno != from.gno() || passed > from.changes();
    }

    private boolean isFull() {
        return rows.size() == RowSearch.MOST_ROWS || bytes > MOST_BYTES;
    }

    private static Map<String, Object> facts(ChangeTransaction transaction) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("gtid", transaction.gtid().toString());
        facts.put("time", TextLog.time(transaction));
        facts.put("file", transaction.file());
        facts.put("position", Long.toString(transaction.position()));
        return facts;
    }

    private void add(Map<String, Object> facts) {
        rows.add(facts);
        bytes += JsonText.of(facts).length();
        if (isFull()) {
            stop.request();
        }
    }

    @Override
    public void row(ChangeTransaction transaction, RowChange row) {
        if (!isWanted(transaction)) {
            return;
        }
        ChangeTable table = row.table();
        Map<String, Object> facts = facts(transaction);
        facts.put("table", table.name().toString());
        facts.put("op", row.operation().toString());
        List<ChangeColumn> changed = row.operation() == Operation.UPDATE
                ? table.columns().stream()
                        .filter(column -> UndoStatement.isChanged(column, row.before(), row.after()))
                        .toList()
                : List.of();
        facts.put("changed", changed.stream().map(ChangeColumn::name).toList());
        if (showsValues) {
            facts.put("key", values(table.handle(), row.newest()));
            facts.put("before", row.operation() == Operation.UPDATE ? values(changed, row.before()) : Map.of());
            facts.put("values", values(table.columns(), row.newest()));
        }
        add(facts);
    }

    private static Map<String, Object> values(List<ChangeColumn> columns, RowImage image) {
        Map<String, Object> values = new LinkedHashMap<>();
        columns.forEach(column -> values.put(column.name(), value(column, image)));
        return values;
    }

    /** A text, null for NULL, or the length of a value that is too long for the answer. */
    private static Object value(ChangeColumn column, RowImage image) {
        if (column.isNull(image)) {
            return null;
        }
        if (column.padded(image) > MOST_VALUE) {
            return Map.of("bytes", column.padded(image));
        }
        String text = LogHandler.text(column, image);
        return LogHandler.isBinary(column) ? "X'" + text + "'" : text;
    }

    @Override
    public int largestEvent() {
        return LARGEST_EVENT;
    }

    @Override
    public boolean needsStatements() {
        return false;
    }

    @Override
    public void statement(ChangeTransaction transaction, ChangeStatement statement) {
        if (isWanted(transaction)) {
            Map<String, Object> facts = facts(transaction);
            facts.put("op", "STATEMENT");
            facts.put("schema", statement.schema());
            facts.put("text", bounded(statement.text()));
            add(facts);
        }
    }

    @Override
    public void unreadable(ChangeTransaction transaction, String why) {
        if (isWanted(transaction)) {
            Map<String, Object> facts = facts(transaction);
            facts.put("op", "UNREADABLE");
            facts.put("text", bounded(why));
            add(facts);
        }
    }

    private static String bounded(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + " ...";
    }

    @Override
    public void finish() {
        // the answer is made from the rows
    }

    @Override
    public void close() {
        // nothing is open
    }
}
