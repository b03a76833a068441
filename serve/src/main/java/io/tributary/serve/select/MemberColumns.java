package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.sql.SqlRefusal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The columns of the members of a table, which must be the same: otherwise a condition, an order or a value would have another meaning on another
 * member. On one event loop.
 */
final class MemberColumns {
    private static final Set<String> TEXTS = Set.of("char", "varchar");

    /** The display width of whole numbers, which MySQL 8.0.19 does not show any more. */
    private static final Pattern WIDTH =
            Pattern.compile("\\b((?:small|medium|big|tiny)?int)\\((?!1\\))\\d+\\)(?!.*zerofill)");

    private final Map<String, Column> columns = new TreeMap<>();
    private final Map<MemberTable, Integer> counts = new HashMap<>();
    private SqlRefusal difference; // the first one; null for none

    /** The definition of a column, and the member that has it. */
    private record Column(String type, String collation, String dataType, String length, MemberTable of) {
        boolean isSame(Column other) {
            return type.equals(other.type) && collation.equals(other.collation);
        }

        @Override
        public String toString() {
            return type + (collation.isEmpty() ? "" : " " + collation) + " in " + of;
        }
    }

    /** Adds a row of {@link SelectConnection#columns}; tables that are no members are left out. */
    void add(SelectConnection shard, Set<TableName> members, ByteBuf row) {
        TableName table = new TableName(TextRow.text(row, 0), TextRow.text(row, 1));
        String name = TextRow.text(row, 2).toLowerCase(Locale.ROOT);
        if (difference != null || !members.contains(table)) {
            return;
        }
        MemberTable member = new MemberTable(shard, table);
        Column column = new Column(
                WIDTH.matcher(TextRow.text(row, 3)).replaceAll("$1"),
                TextRow.text(row, 5).replaceFirst("^utf8_", "utf8mb3_"),
                TextRow.text(row, 4),
                TextRow.text(row, 6),
                member);
        counts.merge(member, 1, Integer::sum);
        Column first = columns.putIfAbsent(name, column);
        if (first != null && !first.isSame(column)) {
            difference = new SqlRefusal(
                    MysqlError.ER_UNKNOWN_ERROR,
                    "SELECT on tables: expected the same definition of column " + name
                            + " in all members of the table, found " + first + " and " + column);
        }
    }

    /**
     * Checks that all members have the same columns.
     *
     * @throws SqlRefusal 1105 with the first difference
     */
    void check(List<MemberTable> members) {
        if (difference != null) {
            throw difference;
        }
        for (MemberTable member : members) {
            int count = counts.getOrDefault(member, 0);
            if (count != columns.size()) {
                throw new SqlRefusal(
                        MysqlError.ER_UNKNOWN_ERROR,
                        "SELECT on tables: expected the same columns in all members of the table, found that " + member
                                + " has " + count + " of the columns " + columns.keySet());
            }
        }
    }

    /** For each of some columns that is a text, how its weights are asked; by names in lower case. See {@link KeyWeights#of}. */
    Map<String, String> weightForms(List<String> keys) {
        Map<String, String> forms = new TreeMap<>();
        for (String key : keys) {
            String name = key.toLowerCase(Locale.ROOT);
            Column column = columns.get(name);
            if (column != null
                    && TEXTS.contains(column.dataType())
                    && !column.collation().isEmpty()) {
                forms.put(name, KeyWeights.form(column.collation(), column.length()));
            }
        }
        return forms;
    }
}
