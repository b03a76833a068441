package io.tributary.testkit.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checker of I5: each before-image of a row equals its previous after-image in the stream, and a row is inserted only if it does not exist.
 * It needs only the stream. A row's first change after a DDL statement that adds or drops columns is not compared. Tables without a primary key in
 * their table maps are ignored; {@link #passedOver} returns them.
 */
public final class RowChainCheck implements Check {
    private final Map<Key, Link> rows = new HashMap<>();
    private final Set<String> passedOver = new HashSet<>();
    private final Violations violations = new Violations("I5 row chains");

    private record Key(String table, List<Long> values) {}

    private int statements;

    /**
     * @param image the last after-image; null if the row was deleted
     * @param statements number of DDL statements before it
     */
    private record Link(Row image, String place, int statements) {}

    @Override
    public void accept(BinlogTransaction transaction) {
        statements += transaction.kind() == TransactionKind.DDL ? 1 : 0;
        for (RowChange change : transaction.changes()) {
            if (change.key().isEmpty()) {
                passedOver.add(change.name());
            } else {
                follow(change, transaction.place());
            }
        }
    }

    private void follow(RowChange change, String place) {
        violations.checked();
        if (!change.isInsert()) {
            Link last = rows.get(key(change, change.before()));
            String wrong = last == null ? null : wrong(last, change);
            if (wrong != null) {
                violations.add(change.words() + " at " + place + " " + wrong + " at " + last.place);
            }
            rows.put(key(change, change.before()), new Link(null, place, statements));
        }
        if (!change.isDelete()) {
            Link previous = rows.put(key(change, change.after()), new Link(change.after(), place, statements));
            if (previous != null && previous.image != null) {
                violations.add(change.words() + " at " + place + " but the row exists since " + previous.place);
            }
        }
    }

    private String wrong(Link last, RowChange change) {
        if (last.image == null) {
            return "but the row was deleted";
        }
        if (last.statements < statements
                && last.image.columns() != change.before().columns()) {
            return null; // a DDL statement between the two has added or dropped columns
        }
        int column = change.before().differsAt(last.image);
        return column < 0
                ? null
                : "has " + change.before().words(column) + " in its before-image in column " + column
                        + ", but it was set to "
                        + last.image.words(column);
    }

    private static Key key(RowChange change, Row row) {
        return new Key(change.name(), change.key().stream().map(row::hash).toList());
    }

    /** Tables without a primary key, or whose table maps do not contain it. */
    public Set<String> passedOver() {
        return Set.copyOf(passedOver);
    }

    @Override
    public Report report() {
        return violations.report();
    }
}
