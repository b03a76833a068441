package io.tributary.testkit.check;

import java.util.List;
import java.util.Optional;

/**
 * A table into which each branch of a transaction inserts a row with the transaction's number and the number of branches that insert one.
 *
 * @param number index of the column with the transaction's unique number
 * @param branches index of the column with the number of branches
 */
public record Marker(String schema, String table, int number, int branches) {
    /** The markers of the testkit's workloads. */
    public static List<Marker> ofWorkloads() {
        return List.of(new Marker("bank", "transfers", 0, 2), new Marker("pathology", "written", 1, 2));
    }

    /** The mark, if this change is a row of a marker table. */
    static Optional<Mark> of(List<Marker> markers, RowChange change) {
        if (!change.isInsert()) {
            return Optional.empty();
        }
        return markers.stream()
                .filter(marker -> change.isOf(marker.schema, marker.table))
                .findFirst()
                .map(marker -> new Mark(
                        marker.schema + "." + marker.table + " "
                                + change.after().number(marker.number),
                        change.after().number(marker.branches)));
    }

    /** @param name unique for the transaction */
    record Mark(String name, long branches) {}

    /**
     * The identity of a transaction in any binlog: its marker's name, else a hash of its changes; empty if it has no changes.
     */
    static String identity(List<Marker> markers, BinlogTransaction transaction) {
        for (RowChange change : transaction.changes()) {
            Optional<Mark> mark = of(markers, change);
            if (mark.isPresent()) {
                return mark.get().name();
            }
        }
        return transaction.changes().isEmpty() ? "" : "rows " + Long.toHexString(transaction.changesHash());
    }
}
