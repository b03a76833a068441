package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Builds a table definition and adds the parts that a server adds to the written statement. */
final class TableBuilder {
    private static final Set<String> PREFIXED = Set.of("char", "varchar", "binary", "varbinary");
    private static final String MARIADB_CHECK = "CONSTRAINT_";

    private final TableName name;
    private final String collation;
    private final List<Column> columns;
    private final boolean mariadb;
    private final List<TableKey> keys = new ArrayList<>();
    private final List<ForeignKey> foreignKeys = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();
    private final Set<String> reserved = new HashSet<>();

    TableBuilder(TableName name, String collation, List<Column> columns, boolean mariadb) {
        this.name = name;
        this.mariadb = mariadb;
        this.collation = collation;
        this.columns = new ArrayList<>(columns);
    }

    /** Sets the existing keys and constraints of the table, with their names. */
    void keep(List<TableKey> ownKeys, List<ForeignKey> ownForeignKeys, List<Check> ownChecks) {
        keys.addAll(ownKeys);
        foreignKeys.addAll(ownForeignKeys);
        checks.addAll(ownChecks);
    }

    /** Adds the keys and constraints of a statement; generates missing names. */
    void add(TableText text) {
        for (TableKey key : text.keys()) {
            boolean needless = (text.isSupport(key) && isServed(key, text))
                    || (text.isIfMissing(key) && isKeyName(impliedName(key)));
            if (needless && mariadb && text.isSupport(key)) {
                reserved.add((key.name().isEmpty() ? freeName(key) : key.name()).toLowerCase(Locale.ROOT));
            }
            if (!needless) {
                keys.add(key.name().isEmpty() ? key.named(freeName(key)) : key);
            }
        }
        for (ForeignKey foreignKey : text.foreignKeys()) {
            ForeignKey made = foreignKey.name().isEmpty() ? named(foreignKey) : foreignKey;
            boolean isThere = foreignKeys.stream().anyMatch(each -> each.name().equalsIgnoreCase(made.name()));
            if (!text.isIfMissing(foreignKey) || !isThere) {
                foreignKeys.add(made);
            }
        }
        for (Check check : text.checks()) {
            String made = check.name().isEmpty() ? freeCheckName(text) : check.name();
            if (!text.isIfMissing(check) || !isCheckName(made)) {
                checks.add(new Check(made, check.expression(), check.enforced()));
            }
        }
    }

    private static String impliedName(TableKey key) {
        return key.name().isEmpty() ? key.parts().get(0).column() : key.name();
    }

    /** Whether another key begins with the columns of a foreign key. */
    private boolean isServed(TableKey support, TableText text) {
        List<TableKey> others = new ArrayList<>(keys);
        text.keys().stream().filter(key -> !text.isSupport(key)).forEach(others::add);
        return others.stream().anyMatch(key -> beginsWith(key, support));
    }

    private static boolean beginsWith(TableKey key, TableKey support) {
        if (key.kind() == TableKey.Kind.FULLTEXT
                || key.kind() == TableKey.Kind.SPATIAL
                || key.parts().size() < support.parts().size()) {
            return false;
        }
        for (int i = 0; i < support.parts().size(); i++) {
            if (!key.parts()
                    .get(i)
                    .column()
                    .equalsIgnoreCase(support.parts().get(i).column())) {
                return false;
            }
        }
        return true;
    }

    private String freeName(TableKey key) {
        if (key.kind() == TableKey.Kind.PRIMARY) {
            return TableKey.PRIMARY_NAME;
        }
        boolean functional = key.parts().stream().anyMatch(KeyPart::isExpression);
        String wanted =
                functional ? "functional_index" : realName(key.parts().get(0).column());
        String free = wanted;
        for (int i = 2; isKeyName(free) || isReserved(free) || free.equalsIgnoreCase(TableKey.PRIMARY_NAME); i++) {
            free = wanted + "_" + i;
        }
        return free;
    }

    private String realName(String column) {
        return columns.stream()
                .map(Column::name)
                .filter(own -> own.equalsIgnoreCase(column))
                .findFirst()
                .orElse(column);
    }

    /** Whether MariaDB reserved the name for the index of a foreign key that another key serves. */
    private boolean isReserved(String wanted) {
        return reserved.contains(wanted.toLowerCase(Locale.ROOT));
    }

    private boolean isKeyName(String wanted) {
        return keys.stream().anyMatch(key -> key.name().equalsIgnoreCase(wanted));
    }

    private ForeignKey named(ForeignKey foreignKey) {
        int number =
                highest("_ibfk_", foreignKeys.stream().map(ForeignKey::name).toList()) + 1;
        return foreignKey.named(name.table() + "_ibfk_" + number);
    }

    private boolean isCheckName(String wanted) {
        return checks.stream().anyMatch(check -> check.name().equalsIgnoreCase(wanted));
    }

    private String freeCheckName(TableText text) {
        if (mariadb) {
            int number = 1;
            while (isCheckName(MARIADB_CHECK + number) || isWritten(MARIADB_CHECK + number, text)) {
                number++;
            }
            return MARIADB_CHECK + number;
        }
        return name.table() + "_chk_"
                + (highest("_chk_", checks.stream().map(Check::name).toList()) + 1);
    }

    private static boolean isWritten(String name, TableText text) {
        return text.checks().stream().anyMatch(check -> check.name().equalsIgnoreCase(name));
    }

    private int highest(String between, List<String> names) {
        String start = name.table().toLowerCase(Locale.ROOT) + between;
        int highest = 0;
        for (String one : names) {
            if (one.toLowerCase(Locale.ROOT).startsWith(start)) {
                String digits = one.substring(start.length());
                highest = digits.matches("[1-9][0-9]{0,8}") ? Math.max(highest, Integer.parseInt(digits)) : highest;
            }
        }
        return highest;
    }

    /** Builds the definition; rejects one that no server accepts. */
    TableDefinition build() {
        requireDistinct(columns.stream().map(Column::name).toList());
        requireDistinct(keys.stream().map(TableKey::name).toList());
        if (columns.isEmpty()) {
            throw new UnreadableStatementException("a table without columns");
        }
        List<TableKey> complete = keys.stream().map(this::complete).toList();
        complete.stream().filter(key -> key.kind() == TableKey.Kind.PRIMARY).forEach(this::forbidNull);
        requireColumns();
        List<TableKey> sorted =
                complete.stream().sorted(Comparator.comparingInt(this::rank)).toList();
        return new TableDefinition(name, columns, sorted, new TableConstraints(foreignKeys, checks), collation);
    }

    /** The server's order (sort_keys in sql/sql_table.cc), which decides which key is used as the primary key if there is none. */
    private int rank(TableKey key) {
        return switch (key.kind()) {
            case PRIMARY -> 0;
            case UNIQUE -> isByHash(key) ? 5 : 1 + (hasNullable(key) ? 2 : 0) + (hasPrefix(key) ? 1 : 0);
            case PLAIN, SPATIAL -> 6;
            case FULLTEXT -> 7;
        };
    }

    private boolean isByHash(TableKey key) {
        return new TableDefinition(name, columns, List.of(), TableConstraints.NONE, collation).isByHash(key);
    }

    private boolean hasNullable(TableKey key) {
        return key.parts().stream()
                .anyMatch(part -> part.isExpression()
                        || columns.get(indexOf(part.column())).nullable());
    }

    private static boolean hasPrefix(TableKey key) {
        return key.parts().stream().anyMatch(part -> part.prefix() > 0);
    }

    private static void requireDistinct(List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String one : names) {
            if (!seen.add(one.toLowerCase(Locale.ROOT))) {
                throw new UnreadableStatementException("a duplicate name " + one);
            }
        }
    }

    private void forbidNull(TableKey primary) {
        for (KeyPart part : primary.parts()) {
            int index = indexOf(part.column());
            Column column = columns.get(index).notNull();
            boolean isOpen = column.defaultValue() instanceof Default.None
                    && !column.onUpdate().isEmpty();
            columns.set(index, mariadb && isOpen ? column.withDefault(TimestampRules.zero(column.type())) : column);
        }
    }

    private TableKey complete(TableKey key) {
        boolean isCut = key.kind() == TableKey.Kind.PLAIN;
        if (mariadb
                && key.kind() == TableKey.Kind.UNIQUE
                && key.parts().stream().anyMatch(this::isOpenGeometry)) {
            throw new UnreadableStatementException(
                    "a unique key of a geometry without a prefix: MariaDB shows one that it does not store");
        }
        TableKey made = key.withParts(key.parts().stream()
                .map(this::complete)
                .map(part -> isCut || isPoint(key, part) ? cut(part) : part)
                .toList());
        return mariadb && isByHash(made)
                ? made.withParts(made.parts().stream()
                        .map(part -> new KeyPart(part.column(), part.prefix(), false, ""))
                        .toList())
                : made;
    }

    private boolean isOpenGeometry(KeyPart part) {
        SqlType type = columns.get(indexOf(part.column())).type();
        return part.prefix() == 0 && type.isGeometry() && type.isOpen();
    }

    private boolean isPoint(TableKey key, KeyPart part) {
        boolean isOrdered = key.kind() != TableKey.Kind.SPATIAL && key.kind() != TableKey.Kind.FULLTEXT;
        return mariadb
                && isOrdered
                && columns.get(indexOf(part.column())).type().name().equals("point");
    }

    /** A part that is too long for a key gets the longest possible prefix; in MariaDB also one without a length. */
    private KeyPart cut(KeyPart part) {
        if (part.isExpression()) {
            return part;
        }
        SqlType type = columns.get(indexOf(part.column())).type();
        int most = type.mostInKey();
        if (!mariadb && (type.isOpen() || type.isGeometry())) {
            return part; // it has a prefix, which fits
        }
        int wanted = type.charactersInKey(type.isGeometry() ? 0 : part.prefix());
        boolean isOpen = type.isGeometry() || (part.prefix() == 0 && type.isOpen());
        return isOpen || most < wanted ? part.withPrefix(Math.min(most, wanted)) : part;
    }

    /** The part with the column's own name; a prefix of all characters is removed. */
    private KeyPart complete(KeyPart part) {
        if (part.isExpression()) {
            return part;
        }
        Column column = columns.get(indexOf(part.column()));
        SqlType type = column.type();
        boolean canHavePrefix =
                PREFIXED.contains(type.name()) || type.isText() || type.name().endsWith("blob") || type.isGeometry();
        boolean whole = !canHavePrefix || (PREFIXED.contains(type.name()) && part.prefix() >= type.length());
        return part.withColumn(column.name()).withPrefix(whole ? 0 : part.prefix());
    }

    private int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(column)) {
                return i;
            }
        }
        throw new UnreadableStatementException("no column " + column);
    }

    private void requireColumns() {
        foreignKeys.forEach(foreignKey -> foreignKey.columns().forEach(this::indexOf));
    }
}
