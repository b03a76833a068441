package io.tributary.schema.sql;

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

    /** A text as a literal, as SHOW CREATE TABLE writes it. */
    public static String literal(String text) {
        StringBuilder out = new StringBuilder("'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\'' -> out.append("''");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\0' -> out.append("\\0");
                default -> out.append(c);
            }
        }
        return out.append('\'').toString();
    }

    /** Texts as literals, separated by commas. */
    public static String literals(Collection<String> texts) {
        return texts.stream().map(SqlNames::literal).collect(Collectors.joining(", "));
    }
}
