package io.tributary.testkit.check;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Checker of the logical clock: sequence_number is contiguous in each file, last_committed is smaller, and a transaction depends on each earlier one
 * that has a key in common with it, and on each statement. It compares keys by their values, without hashes.
 */
public final class DependencyCheck implements Check {
    private final List<RowKey> keys;
    private final Violations violations = new Violations("dependencies");
    private final Map<String, BinlogTransaction> changed = new HashMap<>();
    private final Map<String, BinlogTransaction> needed = new HashMap<>();
    private String file = "";
    private long sequence;
    private long statement;
    private long parallel;

    /**
     * A column of a key.
     *
     * @param index in the row, from 0
     * @param isFolded whether letter case and spaces at the end do not count; for texts of at most 30 ASCII characters
     * @param prefix the number of characters that count, 0 for all
     */
    public record KeyColumn(int index, boolean isFolded, int prefix) {
        public static KeyColumn of(int index) {
            return new KeyColumn(index, false, 0);
        }

        private String value(Row row) {
            byte[] bytes = row.bytes(index);
            if (!isFolded && prefix == 0) {
                return HexFormat.of().formatHex(bytes);
            }
            String text = new String(bytes, 1, bytes.length - 1, StandardCharsets.US_ASCII); // after the length
            String counted = prefix == 0 ? text : text.substring(0, Math.min(prefix, text.length()));
            return isFolded ? counted.toLowerCase(Locale.ROOT).stripTrailing() : counted;
        }
    }

    /**
     * A key whose rows two transactions may not change in parallel.
     *
     * @param name equal for the key of a parent and its foreign key
     * @param table whose rows have it, as schema.table
     * @param columns none: all rows of the table have the same key
     * @param isNeeded whether the row with the key is only needed, as the parent of a foreign key is
     */
    public record RowKey(String name, String table, List<KeyColumn> columns, boolean isNeeded) {
        public RowKey {
            columns = List.copyOf(columns);
        }

        /** A unique key. */
        public static RowKey of(String name, String table, KeyColumn... columns) {
            return new RowKey(name, table, List.of(columns), false);
        }
    }

    public DependencyCheck(List<RowKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** How many transactions do not depend on the one before them. */
    public long parallel() {
        return parallel;
    }

    @Override
    public void accept(BinlogTransaction transaction) {
        if (!transaction.file().equals(file)) {
            file = transaction.file();
            sequence = 0;
            statement = 0;
            changed.clear();
            needed.clear();
        }
        violations.checked();
        long number = transaction.sequenceNumber();
        long last = transaction.lastCommitted();
        if (number != ++sequence || last < 0 || last >= number || last == 0 && number != 1) {
            violations.add(transaction.place() + ": last_committed " + last + " and sequence_number " + number
                    + ", expected " + sequence);
            sequence = number;
        }
        if (transaction.kind() == TransactionKind.DDL) {
            require(transaction, number - 1, "a statement");
            statement = number;
            return;
        }
        require(transaction, statement, "the statement before");
        parallel += last < number - 1 ? 1 : 0;
        Set<String> own = values(transaction, false);
        Set<String> ofOthers = values(transaction, true);
        own.forEach(key -> {
            requireAfter(transaction, changed.get(key), key);
            requireAfter(transaction, needed.get(key), key);
        });
        ofOthers.forEach(key -> requireAfter(transaction, changed.get(key), key));
        own.forEach(key -> changed.put(key, transaction));
        ofOthers.forEach(key -> needed.put(key, transaction));
    }

    /** It is enough to compare with the newest one: it depends on the older ones itself. */
    private void requireAfter(BinlogTransaction transaction, BinlogTransaction before, String key) {
        if (before != null) {
            require(transaction, before.sequenceNumber(), before.place() + " with the same key " + key);
        }
    }

    private void require(BinlogTransaction transaction, long least, String what) {
        violations.checked();
        if (transaction.lastCommitted() < least) {
            violations.add(transaction.place() + " depends on " + transaction.lastCommitted() + ", expected " + least
                    + " or later: " + what);
        }
    }

    private Set<String> values(BinlogTransaction transaction, boolean areNeeded) {
        Set<String> all = new LinkedHashSet<>();
        for (RowChange change : transaction.changes()) {
            for (RowKey key : keys) {
                if (key.isNeeded() == areNeeded && key.table().equals(change.name())) {
                    add(all, key, change.before());
                    add(all, key, change.after());
                }
            }
        }
        return all;
    }

    private static void add(Set<String> all, RowKey key, Row row) {
        if (row == null || key.columns().stream().anyMatch(column -> row.isNull(column.index()))) {
            return;
        }
        List<String> values = new ArrayList<>();
        key.columns().forEach(column -> values.add(column.value(row)));
        all.add(key.name() + values);
    }

    @Override
    public Report report() {
        return violations.report();
    }
}
