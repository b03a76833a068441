package io.tributary.schema.compare;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.rows.ExpressionValue;
import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the columns that an ALTER TABLE adds, and those of them whose values each server computes itself. */
public final class AddedColumns {
    private static final Set<String> NOW = Set.of("CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP");
    private static final Set<String> NUMBERED = Set.of("AUTO_INCREMENT", "SERIAL");

    private AddedColumns() {}

    /** The columns of the definition after a statement that the definition before it lacks. */
    public static List<Column> of(TableDefinition before, TableDefinition after, Map<String, String> renames) {
        return after.columns().stream()
                .filter(column -> before.column(column.name()).isEmpty()
                        && renames.values().stream().noneMatch(column.name()::equalsIgnoreCase))
                .toList();
    }

    /** Whether each server computes the values of an added column itself. */
    public static boolean isApproximate(Column column) {
        return column.autoIncrement()
                || column.generation().isEmpty()
                        && column.defaultValue() instanceof Default.Expression expression
                        && !ExpressionValue.isConstant(expression.text());
    }

    /** Whether a statement adds something, and has a default that may not be constant, or AUTO_INCREMENT; for unknown tables. */
    public static boolean mayBeApproximate(String statement, SqlMode mode) {
        SqlTokens tokens = SqlScanner.scan(statement, mode);
        boolean adds = false;
        for (int at = 0; at < tokens.size(); at++) {
            adds |= tokens.isWord(at, "ADD");
            boolean isExpression =
                    tokens.isWord(at, "DEFAULT") && (tokens.isSign(at + 1, '(') || tokens.isOneOf(at + 1, NOW));
            if (adds && (isExpression || tokens.isOneOf(at, NUMBERED))) {
                return true;
            }
        }
        return false;
    }
}
