package io.tributary.serve.select;

import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A SELECT on one table.
 *
 * @param outer for {@code SELECT MAX(column), ... FROM (inner SELECT) AS alias}: its items; otherwise empty
 * @param inner the SELECT on the table itself
 */
public record TableSelect(List<Item> outer, Inner inner) {
    public TableSelect {
        outer = List.copyOf(outer);
    }

    /** What an item of a SELECT returns. */
    enum Kind {
        COLUMN,
        MIN,
        MAX,
        COUNT
    }

    /**
     * An item of a SELECT.
     *
     * @param argument the column's name; {@code *} or {@code 1} for some forms of COUNT
     */
    record Item(Kind kind, String argument) {
        boolean isAggregate() {
            return kind != Kind.COLUMN;
        }

        String sql() {
            boolean isWord = kind == Kind.COUNT && (argument.equals("*") || argument.equals("1"));
            String text = isWord ? argument : SqlNames.name(argument);
            return kind == Kind.COLUMN ? text : kind + "(" + text + ")";
        }
    }

    /**
     * A condition.
     *
     * @param sql its text; empty for none
     * @param words all words and names in it, in lower case
     */
    record Condition(String sql, Set<String> words) {
        static final Condition NONE = new Condition("", Set.of());

        Condition {
            words = Set.copyOf(words);
        }
    }

    /**
     * A SELECT on a table.
     *
     * @param table logical name
     * @param items all columns or all aggregates; empty for {@code *}
     */
    record Inner(TableName table, List<Item> items, Condition where, List<SortKey> order, OptionalLong limit) {
        Inner {
            items = List.copyOf(items);
            order = List.copyOf(order);
        }

        boolean isAggregate() {
            return !items.isEmpty() && items.get(0).isAggregate();
        }

        /** The statement for one physical table. */
        String sql(TableName physical, KeyWeights weights) {
            return "SELECT " + (items.isEmpty() ? "*" : list(items)) + weights.sql()
                    + " FROM " + SqlNames.name(physical)
                    + " AS " + SqlNames.name(table.table())
                    + (where.sql().isEmpty() ? "" : " WHERE " + where.sql())
                    + ordered();
        }

        /** A column of ORDER BY that is not among the columns of the result. */
        Optional<String> hiddenKey() {
            return order.stream()
                    .map(SortKey::column)
                    .filter(column -> !items.isEmpty()
                            && items.stream().noneMatch(item -> item.argument().equalsIgnoreCase(column)))
                    .findFirst();
        }

        /** One statement for several physical tables of a shard, in its order. */
        String union(List<TableName> physical, KeyWeights weights) {
            if (physical.size() == 1) {
                return sql(physical.get(0), weights);
            }
            String all = physical.stream()
                    .map(each -> "(" + sql(each, weights) + ")")
                    .collect(Collectors.joining(" UNION ALL "));
            return all + ordered();
        }

        private String ordered() {
            return (order.isEmpty()
                            ? ""
                            : " ORDER BY " + order.stream().map(SortKey::sql).collect(Collectors.joining(", ")))
                    + (limit.isPresent() ? " LIMIT " + limit.getAsLong() : "");
        }
    }

    /** The logical table. */
    public TableName table() {
        return inner.table();
    }

    /** The names of all columns that it reads, among other words of its condition, in lower case; empty for all columns of the table. */
    Set<String> columns() {
        Set<String> columns = new TreeSet<>();
        if (!inner.items().isEmpty()) {
            columns.addAll(inner.where().words());
            inner.items().forEach(item -> columns.add(item.argument().toLowerCase(Locale.ROOT)));
            inner.order().forEach(key -> columns.add(key.column().toLowerCase(Locale.ROOT)));
        }
        return columns;
    }

    /** The statement for a table with a single member, whose result is the whole result. */
    String whole(TableName physical) {
        return outer.isEmpty()
                ? inner.sql(physical, KeyWeights.NONE)
                : "SELECT " + list(outer) + " FROM (" + inner.sql(physical, KeyWeights.NONE) + ") AS `t`";
    }

    private static String list(List<Item> items) {
        return items.stream().map(Item::sql).collect(Collectors.joining(", "));
    }
}
