package io.tributary.schema.definition;

import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The definition of a table on a server, as far as rows, keys and constraints depend on it. It does not contain storage options, comments
 * and partitions.
 *
 * @param name schema and table
 * @param columns in order; hidden columns of functional indexes are left out, as they are in rows
 * @param keys in the server's order: the primary key, unique keys, others
 * @param constraints foreign keys and checks
 * @param collation default for columns that are added later, such as {@code utf8mb4_0900_ai_ci}; "" if unknown
 */
public record TableDefinition(
        TableName name, List<Column> columns, List<TableKey> keys, TableConstraints constraints, String collation) {
    /** The column of a generated primary key. */
    public static final String GENERATED_KEY = "my_row_id";

    public TableDefinition {
        columns = List.copyOf(columns);
        keys = List.copyOf(keys);
    }

    /** The foreign keys, in the order of their creation. */
    public List<ForeignKey> foreignKeys() {
        return constraints.foreignKeys();
    }

    /** The check constraints, in the order of their creation. */
    public List<Check> checks() {
        return constraints.checks();
    }

    /** The column with a name, case-insensitive. */
    public Optional<Column> column(String column) {
        int index = indexOf(column);
        return index < 0 ? Optional.empty() : Optional.of(columns.get(index));
    }

    /** The index of a column, from 0; -1 if there is none of that name. */
    public int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(column)) {
                return i;
            }
        }
        return -1;
    }

    public Optional<TableKey> primaryKey() {
        return keys.stream().filter(key -> key.kind() == TableKey.Kind.PRIMARY).findFirst();
    }

    /**
     * The key that identifies rows: the primary key, otherwise the first unique key of whole NOT NULL columns, which a
     * server uses as one.
     */
    public Optional<TableKey> rowKey() {
        Optional<TableKey> primary = primaryKey();
        return primary.isPresent()
                ? primary
                : keys.stream().filter(this::isLikePrimary).findFirst();
    }

    private boolean isLikePrimary(TableKey key) {
        return key.kind() == TableKey.Kind.UNIQUE
                && !isByHash(key)
                && key.parts().stream()
                        .allMatch(part -> !part.isExpression()
                                && part.prefix() == 0
                                && column(part.column())
                                        .filter(column -> !column.nullable() && !column.isVirtual())
                                        .isPresent());
    }

    /**
     * Whether it is a unique key that is too long for an index, which only MariaDB allows: it stores hashes of its values in a hidden column, which
     * is after all others in its rows.
     */
    public boolean isByHash(TableKey key) {
        if (key.kind() != TableKey.Kind.UNIQUE) {
            return false;
        }
        long bytes = 0;
        for (KeyPart part : key.parts()) {
            SqlType type = column(part.column()).map(Column::type).orElse(null);
            if (type == null) {
                return false;
            }
            if (part.prefix() == 0 && type.isOpen()) {
                return true;
            }
            bytes += type.bytesInKey(part.prefix());
        }
        return bytes > SqlType.LONGEST_KEY;
    }

    /** Whether the server generated its primary key: an invisible first column that numbers the rows (sql_generate_invisible_primary_key). */
    public boolean hasGeneratedKey() {
        Optional<TableKey> primary = primaryKey();
        Column first = columns.isEmpty() ? null : columns.get(0);
        return first != null
                && primary.isPresent()
                && first.name().equals(GENERATED_KEY)
                && first.autoIncrement()
                && !first.visible()
                && primary.get().parts().equals(List.of(KeyPart.of(GENERATED_KEY)));
    }

    /** The same table without the generated key and its column. */
    public TableDefinition withoutGeneratedKey() {
        return hasGeneratedKey()
                ? new TableDefinition(
                        name,
                        columns.subList(1, columns.size()),
                        keys.stream()
                                .filter(key -> key.kind() != TableKey.Kind.PRIMARY)
                                .toList(),
                        constraints,
                        collation)
                : this;
    }

    /** The same table with one more column at this index, from 0. */
    public TableDefinition withColumn(int place, Column column) {
        List<Column> more = new ArrayList<>(columns);
        more.add(place, column);
        return new TableDefinition(name, more, keys, constraints, collation);
    }

    /** The same table with another name; constraint names that the server derived from the old name are derived from the new one. */
    public TableDefinition named(TableName other) {
        List<ForeignKey> keysOfOther = foreignKeys().stream()
                .map(key -> key.named(constraintOf(key.name(), "_ibfk_", other)))
                .toList();
        List<Check> checksOfOther = checks().stream()
                .map(check ->
                        new Check(constraintOf(check.name(), "_chk_", other), check.expression(), check.enforced()))
                .toList();
        return new TableDefinition(other, columns, keys, new TableConstraints(keysOfOther, checksOfOther), collation);
    }

    /** The same table with other names of the tables that its foreign keys reference. */
    public TableDefinition withReferences(UnaryOperator<TableName> names) {
        return withForeignKeys(key -> key.referencing(names.apply(key.referenced())));
    }

    /** The same table with each of its foreign keys changed. */
    public TableDefinition withForeignKeys(UnaryOperator<ForeignKey> change) {
        List<ForeignKey> changed = foreignKeys().stream().map(change).toList();
        return new TableDefinition(name, columns, keys, new TableConstraints(changed, checks()), collation);
    }

    private String constraintOf(String constraint, String between, TableName other) {
        String made = name.table() + between;
        boolean byServer = constraint.startsWith(made)
                && constraint.substring(made.length()).chars().allMatch(Character::isDigit);
        return byServer ? other.table() + constraint.substring(name.table().length()) : constraint;
    }
}
