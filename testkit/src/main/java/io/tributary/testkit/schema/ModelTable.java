package io.tributary.testkit.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A model of a table: names and values. It changes its rows as ALTER TABLE does. */
public final class ModelTable {
    /** A value of column v that a check rejects. */
    public static final String BAD = "bad";

    /** The key column. */
    public static final String KEY = "id";

    /** Columns in their order, each with its default. */
    private final Map<String, String> columns = new LinkedHashMap<>();

    private final Map<String, Map<String, String>> rows = new TreeMap<>();
    private boolean exists;
    private boolean isChecked;

    /** An independent copy of the current state. */
    public ModelTable copy() {
        ModelTable copy = new ModelTable();
        copy.columns.putAll(columns);
        rows.forEach((key, row) -> copy.rows.put(key, new TreeMap<>(row)));
        copy.exists = exists;
        copy.isChecked = isChecked;
        return copy;
    }

    public boolean exists() {
        return exists;
    }

    public boolean isChecked() {
        return isChecked;
    }

    /** The column names in their order. */
    public List<String> columns() {
        return List.copyOf(columns.keySet());
    }

    /** The default of a column; null for none. */
    public String defaultOf(String column) {
        return columns.get(column);
    }

    /** Rows by key. */
    public Map<String, Map<String, String>> rows() {
        return rows;
    }

    /**
     * Runs a statement.
     *
     * @throws AssertionError if a server would reject it
     */
    public void apply(ModelStep step) {
        require(exists != (step.kind() == ModelStep.Kind.CREATE), step.text());
        switch (step.kind()) {
            case CREATE -> {
                exists = true;
                columns.put(KEY, null);
                columns.put("v", null);
            }
            case ADD -> {
                require(!columns.containsKey(step.column()), step.text());
                columns.put(step.column(), step.other());
                rows.values().forEach(row -> row.put(step.column(), step.other()));
            }
            case DROP_COLUMN -> {
                requireColumn(step);
                columns.remove(step.column());
                rows.values().forEach(row -> row.remove(step.column()));
            }
            case RENAME -> {
                requireColumn(step);
                require(!columns.containsKey(step.other()), step.text());
                rename(Map.of(step.column(), step.other()));
            }
            case SWAP -> {
                requireColumn(step);
                require(columns.containsKey(step.other()), step.text());
                rename(Map.of(step.column(), step.other(), step.other(), step.column()));
            }
            case CHECK -> {
                require(rows.values().stream().noneMatch(ModelTable::isBad), step.text());
                isChecked = true;
            }
            case DROP_CHECK -> {
                require(isChecked, step.text());
                isChecked = false;
            }
            case TRUNCATE -> rows.clear();
            case DROP -> {
                exists = false;
                isChecked = false;
                columns.clear();
                rows.clear();
            }
            case INDEX -> {}
        }
    }

    private void requireColumn(ModelStep step) {
        require(columns.containsKey(step.column()), step.text());
    }

    private static void require(boolean isAccepted, String text) {
        if (!isAccepted) {
            throw new AssertionError("a server rejects " + text);
        }
    }

    private void rename(Map<String, String> names) {
        Map<String, String> before = new LinkedHashMap<>(columns);
        columns.clear();
        before.forEach((name, value) -> columns.put(names.getOrDefault(name, name), value));
        for (Map<String, String> row : rows.values()) {
            Map<String, String> old = new TreeMap<>(row);
            row.clear();
            old.forEach((name, value) -> row.put(names.getOrDefault(name, name), value));
        }
    }

    private static boolean isBad(Map<String, String> row) {
        return BAD.equals(row.get("v"));
    }

    /**
     * Inserts a row, or replaces the one with its key.
     *
     * @throws AssertionError if a server would reject it
     */
    public void put(Map<String, String> row) {
        require(exists, "a row of a table that does not exist");
        require(row.keySet().equals(columns.keySet()), "a row with " + row.keySet() + " instead of " + columns());
        require(!isChecked || !isBad(row), "a row that a check rejects");
        rows.put(row.get(KEY), new TreeMap<>(row));
    }

    /** @throws AssertionError if there is no such row */
    public void remove(String key) {
        require(exists && rows.remove(key) != null, "to remove row " + key + ", which does not exist");
    }

    @Override
    public String toString() {
        return (exists ? columns.keySet() : "no table") + " " + rows;
    }
}
