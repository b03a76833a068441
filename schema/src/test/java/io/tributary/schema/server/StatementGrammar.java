package io.tributary.schema.server;

import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random statements about tables for MySQL. A server rejects many of them, because they are random. */
class StatementGrammar {
    static final List<String> NAMES = List.of(
            "c0",
            "c1",
            "c2",
            "C3",
            "c4",
            "c5",
            "`c6`",
            "`order`",
            "`Größe`",
            "`a b`",
            "`x``y`",
            "c11",
            "c12",
            "`select`");
    private static final List<String> CHARSETS = List.of(
            "latin1", "utf8mb4", "utf8", "utf8mb3", "ascii", "binary", "gbk", "utf16", "ucs2", "cp1251", "big5",
            "sjis");
    /** In tables of ucs2 and similar character sets, numbers in expressions are shown as strings of that character set. */
    private static final List<String> TABLE_CHARSETS = CHARSETS.subList(0, CHARSETS.indexOf("gbk") + 1);

    private static final List<String> COLLATIONS = List.of(
            "latin1_bin",
            "utf8mb4_bin",
            "utf8mb4_general_ci",
            "utf8mb3_general_ci",
            "utf8_bin",
            "utf8mb4_0900_ai_ci",
            "latin1_swedish_ci",
            "binary",
            "gbk_bin");
    private static final List<String> INTEGERS = List.of(
            "INT",
            "INTEGER",
            "TINYINT",
            "SMALLINT",
            "MEDIUMINT",
            "BIGINT",
            "int(11)",
            "TINYINT(1)",
            "BIGINT(20)",
            "INT1",
            "INT2",
            "INT3",
            "INT4",
            "INT8",
            "MIDDLEINT");
    private static final List<String> TEXTS = List.of(
            "TINYTEXT",
            "TEXT",
            "MEDIUMTEXT",
            "LONGTEXT",
            "TEXT(10)",
            "TEXT(300)",
            "TEXT(70000)",
            "LONG",
            "LONG VARCHAR",
            "LONG CHAR VARYING");

    private final Random random;

    StatementGrammar(Random random) {
        this.random = random;
    }

    String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    String create(String table) {
        List<String> elements = new ArrayList<>();
        List<String> names = new ArrayList<>(NAMES);
        int count = 1 + number(8);
        List<String> used = new ArrayList<>();
        List<String> numeric = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = names.remove(number(names.size()));
            String column = column(numeric);
            elements.add(name + " " + column);
            used.add(name);
            if (INTEGERS.contains(column.split(" ", 2)[0])) {
                numeric.add(name);
            }
        }
        int keys = number(4);
        for (int i = 0; i < keys; i++) {
            elements.add(key(used));
        }
        if (chance(20)) {
            elements.add(check(numeric));
        }
        return createTable() + table + (chance(10) ? " /* x */ " : " ") + "("
                + String.join(", ", elements) + ")" + (chance(50) ? options() : "")
                + (chance(5) ? partition(used) : "");
    }

    String createTable() {
        return "CREATE TABLE " + (chance(10) ? "IF NOT EXISTS " : "");
    }

    private String partition(List<String> used) {
        return " PARTITION BY KEY (" + one(used) + ") PARTITIONS 3";
    }

    private String options() {
        List<String> options = new ArrayList<>();
        if (chance(40)) {
            options.add("ENGINE=InnoDB");
        }
        if (chance(40)) {
            options.add(one(List.of("DEFAULT CHARSET=", "CHARACTER SET ", "CHARSET ", "DEFAULT CHARACTER SET = "))
                    + one(TABLE_CHARSETS));
        } else if (chance(40)) {
            options.add(one(List.of("COLLATE=", "DEFAULT COLLATE ", "COLLATE ")) + one(COLLATIONS));
        } else if (chance(10)) {
            options.add("DEFAULT CHARSET=latin1 COLLATE=latin1_bin");
        }
        if (chance(20)) {
            options.add("COMMENT='a ''quoted'' comment, with (signs)'");
        }
        if (chance(20)) {
            options.add("AUTO_INCREMENT=" + (1 + number(50)));
        }
        if (chance(10)) {
            options.add("ROW_FORMAT=DYNAMIC STATS_PERSISTENT=DEFAULT");
        }
        return " " + String.join(chance(30) ? ", " : " ", options);
    }

    /** Type and attributes. */
    String column(List<String> others) {
        if (chance(4)) {
            return "SERIAL";
        }
        if (chance(10) && !others.isEmpty()) {
            return generated(others);
        }
        String type = type();
        StringBuilder text = new StringBuilder(type);
        boolean notNull = chance(30);
        String nullability = notNull ? " NOT NULL" : chance(20) ? " NULL" : "";
        String value = chance(45) ? defaultOf(type, notNull, others) : "";
        boolean nullFirst = chance(50);
        text.append(nullFirst ? nullability + value : value + nullability);
        if (type.startsWith("TIMESTAMP") || type.startsWith("DATETIME")) {
            text.append(chance(20) ? " ON UPDATE " + now(type) : "");
        }
        text.append(chance(10) ? " COMMENT 'it''s, (one)'" : "");
        boolean character = type.toUpperCase(java.util.Locale.ROOT).contains("CHAR(") || TEXTS.contains(type);
        text.append(character && chance(10) ? " COLLATE " + one(COLLATIONS) : "");
        text.append(chance(4) ? " UNIQUE" + (chance(50) ? " KEY" : "") : "");
        text.append(chance(4) ? (chance(50) ? " PRIMARY" : "") + " KEY" : "");
        text.append(chance(5) && INTEGERS.contains(type) ? " AUTO_INCREMENT UNIQUE" : "");
        text.append(
                chance(6)
                        ? one(List.of(" INVISIBLE", " VISIBLE", " /*!80023 INVISIBLE */", " /*!99999 NO SUCH */"))
                        : "");
        text.append(chance(3) ? " COLUMN_FORMAT FIXED STORAGE MEMORY" : "");
        text.append(chance(3) ? " REFERENCES p (id) ON DELETE CASCADE" : "");
        text.append(chance(3) ? " CHECK (1 < 2)" : "");
        text.append(ownAttribute());
        return text.toString();
    }

    /** An attribute of a column that only this server has, or nothing. */
    String ownAttribute() {
        return "";
    }

    private String charset() {
        int which = number(20);
        return switch (which) {
            case 0, 1 -> " CHARACTER SET " + one(CHARSETS);
            case 2 -> " CHARSET " + one(CHARSETS);
            case 3 -> " COLLATE " + one(COLLATIONS);
            case 4 -> " BINARY";
            case 5 -> " ASCII";
            case 6 -> " UNICODE";
            case 7 -> " CHARACTER SET latin1 COLLATE latin1_bin";
            case 8 -> " CHARACTER SET utf8mb4 BINARY";
            case 9 -> " BYTE";
            default -> "";
        };
    }

    String type() {
        return switch (number(24)) {
            case 0, 1, 2 -> one(INTEGERS);
            case 3 -> one(INTEGERS) + one(List.of(" UNSIGNED", " SIGNED", " UNSIGNED ZEROFILL", " ZEROFILL"));
            case 4 -> one(List.of("BOOL", "BOOLEAN", "BIT", "BIT(1)", "BIT(9)", "BIT(64)", "BIT(16)"));
            case 5 ->
                one(List.of(
                        "DECIMAL",
                        "DEC(5)",
                        "NUMERIC(12,3)",
                        "FIXED(10,2)",
                        "DECIMAL(65,30)",
                        "DECIMAL(8,2) UNSIGNED"));
            case 6 ->
                one(List.of(
                        "FLOAT",
                        "DOUBLE",
                        "REAL",
                        "DOUBLE PRECISION",
                        "FLOAT(7,3)",
                        "FLOAT(20)",
                        "FLOAT(30)",
                        "DOUBLE(10,2)",
                        "FLOAT8",
                        "FLOAT4",
                        "FLOAT UNSIGNED"));
            case 7 -> one(List.of("DATE", "YEAR", "YEAR(4)", "TIME", "TIME(3)", "TIME(6)"));
            case 8 -> one(List.of("DATETIME", "DATETIME(2)", "DATETIME(6)"));
            case 9, 10 -> one(List.of("TIMESTAMP", "TIMESTAMP(3)", "TIMESTAMP(6)"));
            case 11, 12 -> one(List.of("CHAR(", "CHARACTER(", "CHAR(")) + number(256) + ")" + charset();
            case 13, 14 ->
                one(List.of("VARCHAR(", "CHARACTER VARYING(", "VARCHARACTER(", "CHAR VARYING(")) + number(800) + ")"
                        + charset();
            case 15 ->
                one(List.of(
                        "NCHAR(5)",
                        "NATIONAL CHAR(6)",
                        "NVARCHAR(7)",
                        "NATIONAL VARCHAR(8)",
                        "NCHAR VARCHAR(9)",
                        "NATIONAL CHARACTER VARYING(10)",
                        "NCHAR",
                        "CHAR",
                        "BINARY",
                        "VARCHAR(20000)"));
            case 16 -> one(List.of("BINARY(", "VARBINARY(")) + number(256) + ")";
            case 17, 18 -> one(TEXTS) + charset();
            case 19 ->
                one(List.of("TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "BLOB(10)", "BLOB(70000)", "LONG VARBINARY"));
            case 20 -> "ENUM('a','B b','it''s','ü ')" + charset();
            case 21 -> "SET('x','y','z z')" + charset();
            case 22 -> "JSON";
            default ->
                one(List.of(
                        "GEOMETRY",
                        "POINT",
                        "LINESTRING",
                        "POLYGON",
                        "MULTIPOINT",
                        "GEOMETRYCOLLECTION",
                        "GEOMCOLLECTION",
                        "POINT SRID 4326",
                        "MULTIPOLYGON",
                        "MULTILINESTRING"));
        };
    }

    private String now(String type) {
        int from = type.indexOf('(');
        String digits = from < 0 ? "" : type.substring(from, type.indexOf(')') + 1);
        String name = one(List.of("CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP"));
        return name + (digits.isEmpty() ? name.equals("NOW") ? "()" : "" : digits);
    }

    String defaultOf(String type, boolean notNull, List<String> others) {
        if (!notNull && chance(15)) {
            return " DEFAULT NULL";
        }
        if (chance(10)) {
            return " DEFAULT " + defaultExpression(others);
        }
        return " DEFAULT " + constant(type.toUpperCase(java.util.Locale.ROOT), type);
    }

    String defaultExpression(List<String> others) {
        return "(" + expression(others, 2) + ")";
    }

    private String constant(String upper, String type) {
        if (upper.startsWith("BIT")) {
            return one(List.of("b'1'", "0", "1", "0x01", "b'0'"));
        }
        if (upper.startsWith("TIMESTAMP") || upper.startsWith("DATETIME")) {
            return chance(50)
                    ? now(type)
                    : one(List.of(
                            "'2020-01-02 03:04:05'",
                            "'2020-1-2'",
                            "20200102030405",
                            "'2021-12-31 23:59:59.987654'",
                            "TIMESTAMP'2020-01-02 03:04:05'",
                            "'2020-01-02T03:04'"));
        }
        if (upper.startsWith("DATE")) {
            return one(List.of("'2020-01-02'", "20200102", "'20-1-2'", "DATE'2020-01-02'", "'2020.1.2'"));
        }
        if (upper.startsWith("TIME")) {
            return one(List.of("'10:11:12'", "'10:11'", "101112", "'-1:02:03.456'", "'1 2:03'", "0"));
        }
        if (upper.startsWith("YEAR")) {
            return one(List.of("2020", "'99'", "99", "0", "'2000'"));
        }
        if (upper.startsWith("ENUM")) {
            return one(List.of("'a'", "'B b'", "'it''s'", "'A'"));
        }
        if (upper.startsWith("SET")) {
            return one(List.of("'x'", "''", "'z z,x'", "'y,x'"));
        }
        if (upper.contains("CHAR")) {
            return one(List.of(
                    "'abc'",
                    "''",
                    "'it''s'",
                    "\"dq\"",
                    "'a\\\\b'",
                    "'tab\\t'",
                    "5",
                    "1.50",
                    "0x4142",
                    "_latin1'x'",
                    "N'n'",
                    "'ab' 'cd'",
                    "TRUE",
                    "'trailing  '",
                    "x'41'"));
        }
        if (upper.contains("BINARY")) {
            return one(List.of("'a'", "''", "'abc'"));
        }
        if (upper.startsWith("FLOAT") || upper.startsWith("DOUBLE") || upper.startsWith("REAL")) {
            return one(
                    List.of("0", "1.5", "'2.25'", "1e3", "1e20", "1e-7", "123456789", "0.1", ".5", "1.", "-7.125e2"));
        }
        return one(List.of("0", "1", "'7'", "-5", "+3", "TRUE", "FALSE", "2.6", "'12 '", "1e1", "0x0f"));
    }

    String generated(List<String> others) {
        String type = one(List.of("INT", "BIGINT", "DOUBLE", "VARCHAR(100)", "DECIMAL(10,2)", "CHAR(20)"));
        return type + (chance(50) ? " GENERATED ALWAYS" : "") + " AS (" + expression(others, 3) + ")"
                + one(List.of("", " STORED", " VIRTUAL")) + one(List.of("", "", " NOT NULL", " NULL", " COMMENT 'g'"));
    }

    String expression(List<String> columns, int depth) {
        if (depth == 0 || chance(20)) {
            return chance(60) && !columns.isEmpty()
                    ? one(columns)
                    : one(List.of("1", "2.50", "'text'", "'it''s'", "TRUE", "NULL", "0x41", "-3", "1e3"));
        }
        int next = depth - 1;
        String a = expression(columns, next);
        String b = expression(columns, next);
        String number = "(" + a + " + 0)"; // a constant is shown in the type with which it is compared
        return switch (number(30)) {
            case 0 -> a + " + " + b;
            case 1 -> a + " * " + b + " - 3";
            case 2 -> "(" + a + ")/(" + b + ")";
            case 3 -> "CONCAT(" + number + ", " + number + ",'-')";
            case 4 -> "IF(" + number + " > " + b + " + 0, 1, 2)";
            case 5 -> "COALESCE(" + number + "," + number + ")";
            case 6 -> "IFNULL(" + number + ", 0)";
            case 7 -> "CASE WHEN " + number + " < 0 + " + b + " THEN " + b + " ELSE 0 END";
            case 8 -> "CASE " + number + " WHEN 1 THEN 'one' WHEN 2 THEN 'two' END";
            case 9 -> a + " MOD 7";
            case 10 -> a + " DIV 2";
            case 11 -> a + " IS NULL AND " + number + " <> 3";
            case 12 -> number + " > 2 OR NOT " + number + " >= 4";
            case 13 -> "NOT (" + number + " = 5)";
            case 14 -> a + " IS NULL";
            case 15 -> a + " IS NOT NULL";
            case 16 -> number + " IN (1, 2, " + number + ")";
            case 17 -> number + " NOT IN (3)";
            case 18 -> number + " BETWEEN 1 AND 10";
            case 19 -> number + " LIKE 'a%'";
            case 20 -> number + " NOT LIKE 'b_'";
            case 21 -> "SUBSTRING(" + number + ", 1, 3)";
            case 22 -> "UPPER(" + number + ")";
            case 23 -> "LENGTH(" + number + ") << 2";
            case 24 -> "CAST(" + number + " AS CHAR(10))";
            case 25 -> "CAST(" + number + " AS UNSIGNED)";
            case 26 -> number + " <> " + number;
            case 27 -> "ABS(" + number + ") & 7 | 1 ^ 2";
            case 28 -> "(" + a + " + 1) * (" + b + " - 1)";
            default -> number + " <=> 3 XOR 1 = 2";
        };
    }

    String check(List<String> columns) {
        String name = chance(30) ? "CONSTRAINT chk" + number(1000) + " " : chance(20) ? "CONSTRAINT " : "";
        return name + "CHECK (" + condition(columns) + ")" + one(List.of("", "", " NOT ENFORCED", " ENFORCED"));
    }

    String condition(List<String> columns) {
        String column = columns.isEmpty() ? "1" : one(columns);
        return one(List.of(
                column + " IS NULL OR " + column + " + 0 <> 77",
                "NOT (" + column + " * 1 = 12345) OR " + column + " IS NULL",
                "COALESCE(" + column + " + 0, 1) NOT IN (98765, 3)"));
    }

    /** The percentage of key parts that are expressions. */
    int functionalParts() {
        return 6;
    }

    String parts(List<String> columns) {
        List<String> left = new ArrayList<>(columns);
        List<String> parts = new ArrayList<>();
        int count = 1 + number(Math.min(3, left.size()));
        for (int i = 0; i < count; i++) {
            String column = left.remove(number(left.size()));
            if (chance(functionalParts())) {
                parts.add("(" + column + " + 1)");
            } else {
                parts.add(column
                        + (chance(30) ? "(" + (1 + number(12)) + ")" : "")
                        + one(List.of("", "", "", " DESC", " ASC")));
            }
        }
        return "(" + String.join(", ", parts) + ")";
    }

    String key(List<String> columns) {
        String using = chance(10) ? " USING BTREE " : " ";
        String name = chance(50) ? "k" + number(30) + " " : "";
        String options = chance(10)
                ? one(List.of(" COMMENT 'k'", " INVISIBLE", " VISIBLE", " KEY_BLOCK_SIZE=8", " USING BTREE"))
                : "";
        return switch (number(12)) {
            case 0, 1 -> "PRIMARY KEY" + using + parts(columns);
            case 2 -> "CONSTRAINT u" + number(30) + " UNIQUE" + using + parts(columns) + options;
            case 3, 4 ->
                one(List.of("UNIQUE ", "UNIQUE KEY ", "UNIQUE INDEX ")) + name + using + parts(columns) + options;
            case 5 -> "FULLTEXT " + one(List.of("", "KEY ", "INDEX ")) + name + "(" + one(columns) + ")";
            case 6 ->
                (chance(50) ? "CONSTRAINT f" + number(1000) + " " : "") + "FOREIGN KEY "
                        + (chance(30) ? "fi" + number(9) + " " : "")
                        + "(" + one(columns) + ") REFERENCES p (id)"
                        + one(List.of(
                                "",
                                " ON DELETE CASCADE",
                                " ON UPDATE SET NULL ON DELETE RESTRICT",
                                " ON DELETE NO ACTION"));
            default -> one(List.of("KEY ", "INDEX ")) + name + using + parts(columns) + options;
        };
    }

    /** A statement about a table of this definition. */
    String alter(TableDefinition table, String name) {
        List<String> columns =
                table.columns().stream().map(column -> quoted(column.name())).toList();
        if (chance(6)) {
            return "CREATE " + one(List.of("", "UNIQUE ", "")) + "INDEX i" + number(40) + " ON " + name + " "
                    + parts(columns) + one(List.of("", " ALGORITHM=INPLACE", " LOCK=NONE", " COMMENT 'c'"));
        }
        if (chance(5) && !table.keys().isEmpty()) {
            return "DROP INDEX "
                    + quoted(table.keys().get(number(table.keys().size())).name()) + " ON " + name;
        }
        List<String> items = new ArrayList<>();
        int count = chance(60) ? 1 : 1 + number(4);
        for (int i = 0; i < count; i++) {
            items.add(item(table, columns));
        }
        return "ALTER TABLE " + name + " " + String.join(chance(50) ? ", " : ",", items)
                + (chance(3) ? " PARTITION BY KEY (" + one(columns) + ") PARTITIONS 2" : "");
    }

    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    String place(List<String> columns) {
        return one(List.of("", "", "", " FIRST", " AFTER " + one(columns)));
    }

    String item(TableDefinition table, List<String> columns) {
        String column = one(columns);
        List<String> numeric = numeric(table, column);
        return switch (number(34)) {
            case 0, 1, 2, 3 ->
                "ADD " + (chance(50) ? "COLUMN " : "") + one(NAMES) + " " + column(numeric) + place(columns);
            case 4 ->
                "ADD COLUMN (" + one(NAMES) + " " + column(numeric) + ", " + one(NAMES) + " " + column(numeric) + ")";
            case 5, 6, 7 -> "DROP " + (chance(50) ? "COLUMN " : "") + column;
            case 8, 9, 10, 11, 12 ->
                "MODIFY " + (chance(50) ? "COLUMN " : "") + column + " " + column(numeric) + place(columns);
            case 13, 14, 15 ->
                "CHANGE " + (chance(50) ? "COLUMN " : "") + column + " " + one(NAMES) + " " + column(numeric)
                        + place(columns);
            case 16 -> "RENAME COLUMN " + column + " TO " + one(NAMES);
            case 17 ->
                columns.size() < 2
                        ? "RENAME COLUMN " + column + " TO " + one(NAMES)
                        : "RENAME COLUMN " + columns.get(0) + " TO " + columns.get(1) + ", RENAME COLUMN "
                                + columns.get(1) + " TO " + columns.get(0);
            case 18, 19 -> "ADD " + key(columns);
            case 20 -> "DROP PRIMARY KEY";
            case 21, 22 ->
                table.keys().isEmpty()
                        ? "FORCE"
                        : dropKey(table.keys().get(number(table.keys().size())));
            case 23 -> setDefault(table.columns().get(number(table.columns().size())), numeric);
            case 24 -> "ALTER COLUMN " + column + " DROP DEFAULT";
            case 25 -> "ALTER " + column + " SET " + one(List.of("VISIBLE", "INVISIBLE"));
            case 26, 27 ->
                "CONVERT TO CHARACTER SET "
                        + one(List.of(
                                "latin1",
                                "utf8mb4",
                                "utf8mb3",
                                "gbk",
                                "cp1251",
                                "utf8mb4 COLLATE utf8mb4_bin",
                                "latin1 COLLATE latin1_bin",
                                "binary",
                                "DEFAULT"));
            case 28 -> options().strip();
            case 29 -> constraint(table);
            case 30 -> "ORDER BY " + column + one(List.of("", " DESC"));
            case 31 ->
                one(List.of(
                        "ALGORITHM=COPY",
                        "LOCK=SHARED",
                        "FORCE",
                        "DISABLE KEYS",
                        "ENABLE KEYS",
                        "ALGORITHM = DEFAULT",
                        "ENGINE=InnoDB"));
            case 32 ->
                table.keys().isEmpty()
                        ? "FORCE"
                        : renameKey(table.keys().get(number(table.keys().size())));
            default -> "ADD " + check(numeric);
        };
    }

    /** The integer columns of the table except this one. */
    static List<String> numeric(TableDefinition table, String but) {
        return table.columns().stream()
                .filter(column -> column.type().isInteger())
                .map(column -> quoted(column.name()))
                .filter(column -> !column.equals(but))
                .toList();
    }

    String dropKey(TableKey key) {
        return key.kind() == TableKey.Kind.PRIMARY
                ? "DROP PRIMARY KEY"
                : one(List.of("DROP KEY ", "DROP INDEX ")) + quoted(key.name());
    }

    String renameKey(TableKey key) {
        return chance(60)
                ? "RENAME " + one(List.of("INDEX ", "KEY ")) + quoted(key.name()) + " TO r" + number(40)
                : "ALTER INDEX " + quoted(key.name()) + " " + one(List.of("VISIBLE", "INVISIBLE"));
    }

    private String setDefault(Column column, List<String> others) {
        String type = column.type().name().toUpperCase(java.util.Locale.ROOT);
        String digits = column.type().decimals() > 0 && !type.equals("DECIMAL")
                ? "(" + column.type().decimals() + ")"
                : "";
        return "ALTER " + quoted(column.name()) + " SET" + defaultOf(type + digits, !column.nullable(), others);
    }

    String constraint(TableDefinition table) {
        List<Check> checks = table.checks();
        List<ForeignKey> keys = table.foreignKeys();
        if (!checks.isEmpty() && chance(60)) {
            String name = quoted(checks.get(number(checks.size())).name());
            return one(List.of(
                    "DROP CHECK " + name,
                    "DROP CONSTRAINT " + name,
                    "ALTER CHECK " + name + " NOT ENFORCED",
                    "ALTER CONSTRAINT " + name + " ENFORCED"));
        }
        if (!keys.isEmpty()) {
            String name = quoted(keys.get(number(keys.size())).name());
            return one(List.of("DROP FOREIGN KEY " + name, "DROP CONSTRAINT " + name));
        }
        return "FORCE";
    }
}
