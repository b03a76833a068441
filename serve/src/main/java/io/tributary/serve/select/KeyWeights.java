package io.tributary.serve.select;

import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.select.TableSelect.Inner;
import io.tributary.serve.select.TableSelect.Item;
import io.tributary.serve.select.TableSelect.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The columns that are added to a SELECT so that texts of several members can be compared: WEIGHT_STRING gives bytes in the order of the
 * column's collation. They are the last columns and are not passed on.
 *
 * @param expressions by the text of the key, in lower case
 */
record KeyWeights(Map<String, String> expressions) {
    static final KeyWeights NONE = new KeyWeights(Map.of());

    /** The columns by which the rows of several members are compared. */
    static List<String> keys(TableSelect select) {
        TreeSet<String> keys = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        select.inner().order().forEach(key -> keys.add(key.column()));
        List<Item> items = new ArrayList<>(select.outer());
        items.addAll(select.inner().isAggregate() ? select.inner().items() : List.of());
        items.stream().filter(item -> item.kind() != Kind.COUNT).forEach(item -> keys.add(item.argument()));
        return List.copyOf(keys);
    }

    /**
     * The columns for a SELECT.
     *
     * @param forms for each of its keys that is a text, the call of WEIGHT_STRING with {@code %s} for the value; by names in lower case
     */
    static KeyWeights of(Inner inner, Map<String, String> forms) {
        Map<String, String> expressions = new LinkedHashMap<>();
        if (inner.isAggregate()) {
            for (Item item : inner.items()) {
                String form = item.kind() == Kind.COUNT ? null : forms.get(lower(item.argument()));
                if (form != null) {
                    expressions.put(lower(item.sql()), form.formatted(item.sql()));
                }
            }
        } else {
            forms.forEach((column, form) ->
                    expressions.put(lower(SqlNames.name(column)), form.formatted(SqlNames.name(column))));
        }
        return new KeyWeights(expressions);
    }

    /** The form for a column of texts; a comparison by most collations pads the shorter text with blanks. */
    static String form(String collation, String length) {
        return collation.contains("_0900_") ? "WEIGHT_STRING(%s)" : "WEIGHT_STRING(%s AS CHAR(" + length + "))";
    }

    int count() {
        return expressions.size();
    }

    /** The text to append to the items of the SELECT. */
    String sql() {
        return expressions.values().stream().map(each -> ", " + each).collect(Collectors.joining());
    }

    /** The index of the weights of a key among those that are added, -1 if it has none. */
    int indexOf(String key) {
        return List.copyOf(expressions.keySet()).indexOf(lower(key));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
