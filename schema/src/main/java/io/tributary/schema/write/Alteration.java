package io.tributary.schema.write;

import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.sql.SqlNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** Writes the difference of two definitions as ALTER TABLE. Names of keys and constraints are no difference. */
public final class Alteration {
    private final TableDefinition from;
    private final TableDefinition to;
    /** From names in lower case to the names after it. */
    private final Map<String, String> renames;

    private final List<String> items = new ArrayList<>();

    private Alteration(TableDefinition from, TableDefinition to, Map<String, String> renames) {
        this.from = from;
        this.to = to;
        this.renames = renames;
    }

    /**
     * The statements that change one definition to another, with the name of the first one's table: none if they are equal; one if it is clear;
     * two if as many columns are removed as are new: they may be renamed, or be other columns.
     */
    public static List<String> between(TableDefinition from, TableDefinition to) {
        List<Column> removed = without(from, to);
        List<Column> added = without(to, from);
        List<String> texts = new ArrayList<>();
        if (!removed.isEmpty() && removed.size() == added.size()) {
            Map<String, String> renames = new HashMap<>();
            for (int i = 0; i < removed.size(); i++) {
                renames.put(lower(removed.get(i).name()), added.get(i).name());
            }
            texts.add(new Alteration(from, to, renames).text());
        }
        String plain = new Alteration(from, to, Map.of()).text();
        if (!plain.isEmpty()) {
            texts.add(plain);
        }
        return List.copyOf(texts);
    }

    /**
     * The statement that adds some columns of another definition which this one lacks, after the columns that they follow there; "" if
     * there are none.
     *
     * @param isAdded called for each column that this one lacks
     */
    public static String adding(TableDefinition from, TableDefinition other, Predicate<Column> isAdded) {
        TableDefinition more = from;
        int place = 0;
        for (Column column : other.columns()) {
            int own = more.indexOf(column.name());
            if (own >= 0) {
                place = own + 1;
            } else if (isAdded.test(column)) {
                more = more.withColumn(place++, column);
            }
        }
        return new Alteration(from, more, Map.of()).text();
    }

    private static List<Column> without(TableDefinition table, TableDefinition other) {
        return table.columns().stream()
                .filter(column -> other.column(column.name()).isEmpty())
                .toList();
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private String text() {
        if (!from.collation().equals(to.collation()) && !to.collation().isEmpty()) {
            items.add(CreateTable.collation("DEFAULT CHARACTER SET ", " COLLATE ", to.collation()));
        }
        drop(from.foreignKeys(), to.foreignKeys(), this::plain, key -> "FOREIGN KEY " + SqlNames.name(key.name()));
        drop(from.checks(), to.checks(), Alteration::plain, check -> "CHECK " + SqlNames.name(check.name()));
        drop(from.keys(), to.keys(), this::plain, Alteration::dropped);
        columns();
        add(from.keys(), to.keys(), this::plain, CreateTable::key);
        add(from.foreignKeys(), to.foreignKeys(), this::plain, CreateTable::foreignKey);
        add(from.checks(), to.checks(), Alteration::plain, CreateTable::check);
        return items.isEmpty() ? "" : "ALTER TABLE " + CreateTable.table(from.name()) + " " + String.join(", ", items);
    }

    // ---- columns

    private void columns() {
        List<String> current = new ArrayList<>();
        for (Column column : from.columns()) {
            String name = renamed(column.name());
            if (to.column(name).isPresent()) {
                current.add(lower(name));
            } else {
                items.add("DROP COLUMN " + SqlNames.name(column.name()));
            }
        }
        for (int place = 0; place < to.columns().size(); place++) {
            column(place, current);
        }
    }

    private void column(int place, List<String> current) {
        Column column = to.columns().get(place);
        String name = lower(column.name());
        Column before = before(column);
        boolean isInPlace =
                before == null ? place == current.size() : current.get(place).equals(name);
        String where = isInPlace
                ? ""
                : place == 0
                        ? " FIRST"
                        : " AFTER " + SqlNames.name(to.columns().get(place - 1).name());
        String text = CreateTable.column(column, "") + where;
        if (before == null) {
            items.add("ADD COLUMN " + text);
        } else if (!before.name().equalsIgnoreCase(column.name())) {
            items.add("CHANGE COLUMN " + SqlNames.name(before.name()) + " " + text);
        } else if (!isInPlace || !before.equals(column)) {
            items.add("MODIFY COLUMN " + text);
        }
        current.remove(name);
        current.add(place, name);
    }

    /** The column before the alteration; null for a new one. */
    private Column before(Column column) {
        return from.columns().stream()
                .filter(each -> renamed(each.name()).equalsIgnoreCase(column.name()))
                .findFirst()
                .orElse(null);
    }

    private String renamed(String column) {
        return renames.getOrDefault(lower(column), column);
    }

    // ---- keys and constraints

    private <T> void drop(List<T> before, List<T> after, Function<T, T> plain, Function<T, String> text) {
        List<T> kept = after.stream().map(plain).toList();
        before.stream()
                .filter(each -> !kept.contains(plain.apply(each)))
                .forEach(each -> items.add("DROP " + text.apply(each)));
    }

    private <T> void add(List<T> before, List<T> after, Function<T, T> plain, Function<T, String> text) {
        List<T> known = before.stream().map(plain).toList();
        after.stream()
                .filter(each -> !known.contains(plain.apply(each)))
                .forEach(each -> items.add("ADD " + text.apply(each)));
    }

    private static String dropped(TableKey key) {
        return key.kind() == TableKey.Kind.PRIMARY ? "PRIMARY KEY" : "KEY " + SqlNames.name(key.name());
    }

    private TableKey plain(TableKey key) {
        return new TableKey(
                key.kind(),
                "",
                key.parts().stream()
                        .map(part -> part.withColumn(lower(renamed(part.column()))))
                        .toList(),
                true);
    }

    private ForeignKey plain(ForeignKey key) {
        return new ForeignKey(
                "", key.columns().stream().map(column -> lower(renamed(column))).toList(), key.reference());
    }

    private static Check plain(Check check) {
        return new Check("", check.expression(), check.enforced());
    }
}
