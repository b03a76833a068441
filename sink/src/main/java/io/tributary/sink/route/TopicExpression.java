package io.tributary.sink.route;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.util.regex.Pattern;

/**
 * The name of a table's topic: a text with {@code {schema}} and {@code {table}}. Characters that a topic cannot have become {@code _}; a name is cut after
 * 249 characters; {@code .} becomes {@code _} and {@code ..} becomes {@code __}.
 *
 * @param text the expression
 */
public record TopicExpression(String text) {
    private static final String SCHEMA = "{schema}";
    private static final String TABLE = "{table}";
    private static final int LONGEST = 249;
    private static final Pattern FIXED = Pattern.compile("[A-Za-z0-9._-]*");
    private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9._-]");

    /** {@code {schema}.{table}}. */
    public static final TopicExpression BY_TABLE = new TopicExpression("{schema}.{table}"); // after what it needs

    /** Checks the text; throws CONFIG_INVALID. */
    public TopicExpression {
        String fixed = text.replace(SCHEMA, "").replace(TABLE, "");
        if (text.isEmpty() || !FIXED.matcher(fixed).matches()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "expected an expression for topics of letters, digits, '.', '_', '-', {schema} and {table}, found '"
                            + text + "'");
        }
    }

    /** Whether tables are meant to share topics, because a part of their name is left out. */
    public boolean isShared() {
        return !text.contains(SCHEMA) || !text.contains(TABLE);
    }

    /** The topic of a table. */
    public String topic(TableName table) {
        String name = text.replace(SCHEMA, replaced(table.schema())).replace(TABLE, replaced(table.table()));
        name = name.length() > LONGEST ? name.substring(0, LONGEST) : name;
        return switch (name) {
            case "." -> "_";
            case ".." -> "__";
            default -> name;
        };
    }

    private static String replaced(String name) {
        return OTHER.matcher(name).replaceAll("_");
    }
}
