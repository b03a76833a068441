package io.tributary.testkit.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The transactions that a client has read from a source, in the client's own text form.
 *
 * @param transactions the rows of each transaction, in order; a row's text begins with its table and key
 * @param statements DDL statements
 */
public record Reading(List<List<String>> transactions, List<String> statements) {
    private static final int SHOWN = 160;
    private static final int LONGEST_KEPT = 10_000;

    public Reading {
        transactions = List.copyOf(transactions);
        statements = List.copyOf(statements);
    }

    /**
     * Parses the common text form in which clients of any language print what they read, one line each:
     * {@code R<tab>schema.table<tab>key<tab>values} for a row, {@code T} for the end of its transaction, {@code D<tab>text} for a
     * DDL statement. Other lines are ignored. A client that sees no transactions prints a {@code T} after each row.
     */
    public static Reading parse(Iterable<String> lines) {
        List<List<String>> transactions = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        List<String> open = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("R\t")) {
                open.add(shortened(line.substring(2)));
            } else if (line.equals("T") && !open.isEmpty()) {
                transactions.add(open);
                open = new ArrayList<>();
            } else if (line.startsWith("D\t")) {
                statements.add(line.substring(2));
            }
        }
        if (!open.isEmpty()) {
            transactions.add(open);
        }
        return new Reading(transactions, statements);
    }

    private static String shortened(String row) {
        return row.length() <= LONGEST_KEPT
                ? row
                : row.substring(0, SHOWN) + "... " + row.length() + " letters, hash " + row.hashCode();
    }

    public int rows() {
        return transactions.stream().mapToInt(List::size).sum();
    }

    /** Whether it contains a row of this table, such as {@code shop.orders}. */
    public boolean has(String table) {
        return transactions.stream().flatMap(List::stream).anyMatch(row -> row.startsWith(table + "\t"));
    }

    /** A difference, in words, to what the same client read from another source; empty if both are the same. */
    public Optional<String> differenceTo(Reading other) {
        return difference("transactions", sorted(), other.sorted())
                .or(() -> difference("statements", sorted(statements), sorted(other.statements)))
                .or(() -> rowsInOrder(other));
    }

    /** The changes of one row must have the same order; those of different rows may have any order. */
    private Optional<String> rowsInOrder(Reading other) {
        Map<String, List<String>> own = byKey();
        Map<String, List<String>> theirs = other.byKey();
        for (Map.Entry<String, List<String>> row : own.entrySet()) {
            if (!row.getValue().equals(theirs.get(row.getKey()))) {
                return Optional.of("the changes of " + row.getKey().replace('\t', ' ') + " are in another order");
            }
        }
        return Optional.empty();
    }

    private Map<String, List<String>> byKey() {
        Map<String, List<String>> changes = new HashMap<>();
        for (List<String> transaction : transactions) {
            for (String row : transaction) {
                int table = row.indexOf('\t');
                int key = row.indexOf('\t', table + 1);
                changes.computeIfAbsent(row.substring(0, key < 0 ? row.length() : key), k -> new ArrayList<>())
                        .add(row);
            }
        }
        return changes;
    }

    private List<String> sorted() {
        return sorted(transactions.stream()
                .map(rows -> String.join("\n", sorted(rows)))
                .toList());
    }

    private static List<String> sorted(List<String> texts) {
        List<String> sorted = new ArrayList<>(texts);
        Collections.sort(sorted);
        return sorted;
    }

    private static Optional<String> difference(String what, List<String> own, List<String> theirs) {
        if (own.equals(theirs)) {
            return Optional.empty();
        }
        List<String> only = new ArrayList<>(own);
        theirs.forEach(only::remove);
        List<String> lacking = new ArrayList<>(theirs);
        own.forEach(lacking::remove);
        return Optional.of(own.size() + " " + what + " against " + theirs.size() + "; only here: " + first(only)
                + "; only there: " + first(lacking));
    }

    private static String first(List<String> texts) {
        if (texts.isEmpty()) {
            return "none";
        }
        String more = texts.size() == 1 ? "" : texts.size() + ", such as ";
        String text = more + texts.get(0).replace('\n', ' ').replace('\t', ' ');
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    }
}
