package io.tributary.seed.session;

import io.tributary.common.value.TableName;
import java.util.Collection;
import java.util.stream.Collectors;

/** The text of names and literals in statements for sessions with an empty sql_mode. */
public final class SqlNames {
    private SqlNames() {}

    /** A name in backticks. */
    public static String name(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** A table with its schema, in backticks. */
    public static String name(TableName table) {
        return name(table.schema()) + "." + name(table.table());
    }

    /** Names in backticks, separated by commas. */
    public static String names(Collection<String> names) {
        return names.stream().map(SqlNames::name).collect(Collectors.joining(", "));
    }

    /** A text as a literal. */
    public static String literal(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "''").replace("\0", "\\0") + "'";
    }
}
