package io.tributary.schema.server;

import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.List;
import java.util.Random;

/**
 * Random statements about tables for MariaDB, with its own types, clauses and conditions. It does not contain system versioning and
 * periods, whose hidden columns no statement names, sequences, which are not tables, and COMPRESSED columns, whose rows have their own
 * types; the reader does not read those.
 */
final class MariadbGrammar extends StatementGrammar {
    MariadbGrammar(Random random) {
        super(random);
    }

    @Override
    String createTable() {
        return chance(10) ? "CREATE OR REPLACE TABLE " : super.createTable();
    }

    @Override
    String type() {
        return chance(8)
                ? one(List.of("UUID", "INET6", "INET4", "JSON", "POINT REF_SYSTEM_ID=4326", "VARCHAR2(9)"))
                : super.type();
    }

    @Override
    String ownAttribute() {
        return chance(4) ? one(List.of(" /*M!100300 INVISIBLE */", " WITHOUT SYSTEM VERSIONING", "")) : "";
    }

    @Override
    int functionalParts() {
        return 0;
    }

    @Override
    String defaultExpression(List<String> others) {
        return chance(30)
                ? one(List.of("uuid()", "concat('a', 'b')", "upper('x')", "(1 + 2)", "abs(-3)"))
                : super.defaultExpression(others);
    }

    /** For a LIKE within a LIKE it shows no parentheses, so the expression changes. */
    @Override
    String expression(List<String> columns, int depth) {
        String made = super.expression(columns, depth);
        while (made.split("LIKE", -1).length > 2) {
            made = super.expression(columns, depth);
        }
        return made;
    }

    @Override
    String generated(List<String> others) {
        String type = one(List.of("INT", "BIGINT", "DOUBLE", "VARCHAR(100)", "DECIMAL(10,2)", "CHAR(20)"));
        return type + (chance(50) ? " GENERATED ALWAYS" : "") + " AS (" + expression(others, 3) + ")"
                + one(List.of("", " STORED", " VIRTUAL", " PERSISTENT"))
                + one(List.of("", "", " INVISIBLE", " COMMENT 'g'"));
    }

    @Override
    String check(List<String> columns) {
        String name = chance(30) ? "CONSTRAINT chk" + number(1000) + " " : "";
        return name + "CHECK (" + condition(columns) + ")";
    }

    @Override
    String key(List<String> columns) {
        return chance(5)
                ? "INDEX " + ifNotExists() + "k" + number(30) + " " + parts(columns)
                        + one(List.of("", " IGNORED", " NOT IGNORED"))
                : super.key(columns);
    }

    private String ifNotExists() {
        return chance(50) ? "IF NOT EXISTS " : "";
    }

    private String ifExists() {
        return chance(50) ? "IF EXISTS " : "";
    }

    @Override
    String alter(TableDefinition table, String name) {
        List<String> columns =
                table.columns().stream().map(column -> quoted(column.name())).toList();
        return switch (number(40)) {
            case 0 -> "CREATE INDEX " + ifNotExists() + "i" + number(40) + " ON " + name + " " + parts(columns);
            case 1 -> "CREATE OR REPLACE INDEX i" + number(40) + " ON " + name + " " + parts(columns);
            case 2 -> "DROP INDEX IF EXISTS i" + number(40) + " ON " + name;
            default -> super.alter(table, name);
        };
    }

    @Override
    String item(TableDefinition table, List<String> columns) {
        String column = chance(80) ? one(columns) : one(NAMES);
        List<String> numeric = numeric(table, column);
        return switch (number(60)) {
            case 0, 1 -> "ADD COLUMN " + ifNotExists() + one(NAMES) + " " + column(numeric) + place(columns);
            case 2, 3 -> "DROP COLUMN " + ifExists() + column;
            case 4, 5 -> "MODIFY COLUMN " + ifExists() + column + " " + column(numeric) + place(columns);
            case 6, 7 ->
                "CHANGE COLUMN " + ifExists() + column + " " + one(NAMES) + " " + column(numeric) + place(columns);
            case 8 -> "RENAME COLUMN " + ifExists() + column + " TO " + one(NAMES);
            case 9 -> "DROP INDEX " + ifExists() + "k" + number(30);
            case 10 -> "ALTER COLUMN " + ifExists() + column + " DROP DEFAULT";
            case 11 -> "DROP CONSTRAINT IF EXISTS chk" + number(1000);
            case 12 -> "ADD CONSTRAINT " + ifNotExists() + "chk" + number(10) + " CHECK (" + condition(numeric) + ")";
            case 13 -> "MODIFY " + column + " INT CHECK (" + column + " <> " + number(9) + " OR TRUE)";
            case 14 -> "DROP PRIMARY KEY";
            default -> super.item(table, columns);
        };
    }

    @Override
    String renameKey(TableKey key) {
        return chance(60)
                ? super.renameKey(key)
                : "ALTER " + one(List.of("INDEX ", "KEY ")) + ifExists() + quoted(key.name())
                        + one(List.of(" IGNORED", " NOT IGNORED"));
    }

    @Override
    String constraint(TableDefinition table) {
        List<Check> checks = table.checks();
        List<ForeignKey> keys = table.foreignKeys();
        if (!checks.isEmpty() && chance(60)) {
            return "DROP CONSTRAINT " + ifExists()
                    + quoted(checks.get(number(checks.size())).name());
        }
        if (!keys.isEmpty()) {
            return one(List.of("DROP FOREIGN KEY ", "DROP CONSTRAINT "))
                    + ifExists()
                    + quoted(keys.get(number(keys.size())).name());
        }
        return "FORCE";
    }
}
