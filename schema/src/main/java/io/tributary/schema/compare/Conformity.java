package io.tributary.schema.compare;

import io.tributary.schema.compare.Difference.Kind;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.Generation;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares two definitions: whether they have the same columns, primary key, unique keys, foreign keys and checks. It does not compare
 * names of tables, indexes and constraints, plain indexes and the display width of integers, nor the schema of a foreign key's table if it
 * is the schema of the table itself.
 */
public final class Conformity {
    private Conformity() {}

    /** All differences; another order of the same columns is a separate kind. */
    public static List<Difference> differences(TableDefinition a, TableDefinition b) {
        List<Difference> found = new ArrayList<>(columnDifferences(a, b));
        unmatched(found, Kind.PRIMARY_KEY, primaryKeys(a), primaryKeys(b));
        unmatched(found, Kind.UNIQUE_KEY, uniqueKeys(a), uniqueKeys(b));
        unmatched(found, Kind.FOREIGN_KEY, foreignKeys(a), foreignKeys(b));
        unmatched(found, Kind.CHECK, checks(a), checks(b));
        return found;
    }

    /** Whether the columns are equal and in the same order; keys are not compared. */
    public static boolean sameColumns(TableDefinition a, TableDefinition b) {
        return columnDifferences(a, b).isEmpty();
    }

    private static List<Difference> columnDifferences(TableDefinition a, TableDefinition b) {
        List<Difference> found = new ArrayList<>();
        for (Column column : a.columns()) {
            Optional<Column> other = b.column(column.name());
            other.ifPresent(one -> compare(found, column, one));
            if (other.isEmpty()) {
                found.add(new Difference(Kind.COLUMN, column.name(), typeText(column.type()), ""));
            }
        }
        for (Column column : b.columns()) {
            if (a.column(column.name()).isEmpty()) {
                found.add(new Difference(Kind.COLUMN, column.name(), "", typeText(column.type())));
            }
        }
        String first = order(a, b);
        String second = order(b, a);
        if (!first.equals(second)) {
            found.add(new Difference(Kind.COLUMN_ORDER, "the table", first, second));
        }
        return found;
    }

    /** The order of the columns that both tables have. */
    private static String order(TableDefinition a, TableDefinition b) {
        return a.columns().stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .filter(name -> b.column(name).isPresent())
                .collect(Collectors.joining(","));
    }

    private static void compare(List<Difference> found, Column a, Column b) {
        differ(found, Kind.TYPE, a, b, column -> typeText(column.type()));
        if (!a.type().collation().isEmpty() && !b.type().collation().isEmpty()) {
            differ(found, Kind.COLLATION, a, b, column -> column.type().collation());
        }
        differ(found, Kind.NULLABILITY, a, b, column -> column.nullable() ? "NULL" : "NOT NULL");
        differ(found, Kind.DEFAULT, a, b, column -> defaultText(column.defaultValue()));
        differ(found, Kind.GENERATION, a, b, column -> generationText(column.generation()));
        differ(found, Kind.AUTO_INCREMENT, a, b, column -> column.autoIncrement() ? "AUTO_INCREMENT" : "");
        differ(found, Kind.ON_UPDATE, a, b, Column::onUpdate);
        differ(found, Kind.VISIBILITY, a, b, column -> column.visible() ? "VISIBLE" : "INVISIBLE");
    }

    private static void differ(List<Difference> found, Kind kind, Column a, Column b, Function<Column, String> text) {
        String first = text.apply(a);
        String second = text.apply(b);
        if (!first.equals(second)) {
            found.add(new Difference(kind, a.name(), first, second));
        }
    }

    /** Everything except the collation, and the width of an integer. */
    private static String typeText(SqlType type) {
        String length = type.isInteger() ? "" : "(" + type.length() + "," + type.decimals() + ")";
        String values = type.hasValues() ? type.values().toString() : "";
        String srid = type.srid() == SqlType.ANY_SRID ? "" : " SRID " + type.srid();
        return type.name() + length + values + (type.unsigned() ? " unsigned" : "") + srid;
    }

    private static String defaultText(Default value) {
        if (value instanceof Default.Literal literal) {
            return "'" + literal.value() + "'";
        }
        if (value instanceof Default.Expression expression) {
            return expression.text();
        }
        return value instanceof Default.Null ? "NULL" : "";
    }

    private static String generationText(Optional<Generation> generation) {
        return generation
                .map(own -> own.expression() + (own.stored() ? " STORED" : " VIRTUAL"))
                .orElse("");
    }

    /** Records the texts that one definition has more often than the other. */
    private static void unmatched(List<Difference> found, Kind kind, List<String> first, List<String> second) {
        Set<String> all = new HashSet<>(first);
        all.addAll(second);
        for (String one : all.stream().sorted().toList()) {
            boolean inFirst = first.contains(one);
            boolean inSecond = second.contains(one);
            if (inFirst != inSecond) {
                found.add(new Difference(kind, one, inFirst ? one : "", inSecond ? one : ""));
            }
        }
    }

    private static List<String> primaryKeys(TableDefinition table) {
        return keys(table, TableKey.Kind.PRIMARY);
    }

    private static List<String> uniqueKeys(TableDefinition table) {
        return keys(table, TableKey.Kind.UNIQUE);
    }

    private static List<String> keys(TableDefinition table, TableKey.Kind kind) {
        return table.keys().stream()
                .filter(key -> key.kind() == kind)
                .map(key -> key.parts().stream().map(Conformity::partText).collect(Collectors.joining(",")))
                .toList();
    }

    private static String partText(KeyPart part) {
        String text = part.isExpression()
                ? "(" + part.expression() + ")"
                : part.column().toLowerCase(Locale.ROOT);
        return text + (part.prefix() > 0 ? "(" + part.prefix() + ")" : "");
    }

    private static List<String> foreignKeys(TableDefinition table) {
        return table.foreignKeys().stream()
                .map(key -> foreignKeyText(key, table))
                .toList();
    }

    private static String foreignKeyText(ForeignKey key, TableDefinition table) {
        boolean own = key.referenced().schema().equals(table.name().schema());
        return small(key.columns()) + " references " + (own ? key.referenced().table() : key.referenced())
                + small(key.referencedColumns()) + " on delete " + action(key.onDelete()) + " on update "
                + action(key.onUpdate());
    }

    private static String small(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.joining(",", "(", ")"));
    }

    /** RESTRICT is the default action of a foreign key. */
    private static String action(String action) {
        return action.equals("RESTRICT") ? ForeignKey.NO_ACTION : action;
    }

    private static List<String> checks(TableDefinition table) {
        return table.checks().stream().map(Conformity::checkText).toList();
    }

    private static String checkText(Check check) {
        return check.expression() + (check.enforced() ? "" : " NOT ENFORCED");
    }
}
