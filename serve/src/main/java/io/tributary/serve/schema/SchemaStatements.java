package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.schema.SchemaQuestion.Condition;
import io.tributary.serve.schema.SchemaQuestion.Listed;
import io.tributary.serve.schema.SchemaQuestion.Named;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.StatementToken;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Recognizes questions about schemas: statements in the forms that tools send (MySQL manual, "SHOW Statements"). */
public final class SchemaStatements {
    private static final String TABLE_STATUS = "TABLE_NAME AS `Name`, ENGINE AS `Engine`, VERSION AS `Version`,"
            + " ROW_FORMAT AS `Row_format`, TABLE_ROWS AS `Rows`, AVG_ROW_LENGTH AS `Avg_row_length`, DATA_LENGTH AS"
            + " `Data_length`, MAX_DATA_LENGTH AS `Max_data_length`, INDEX_LENGTH AS `Index_length`, DATA_FREE AS"
            + " `Data_free`, AUTO_INCREMENT AS `Auto_increment`, CREATE_TIME AS `Create_time`, UPDATE_TIME AS"
            + " `Update_time`, CHECK_TIME AS `Check_time`, TABLE_COLLATION AS `Collation`, CHECKSUM AS `Checksum`,"
            + " CREATE_OPTIONS AS `Create_options`, TABLE_COMMENT AS `Comment`";

    /** Words that a condition must not contain if all its parts must be true. */
    private static final Set<String> OTHER_WORDS = Set.of("OR", "XOR", "||", "NOT", "!", "UNION", "BETWEEN", "CASE");

    /** Words that may follow a part of such a condition; the end has no text. */
    private static final Set<String> FOLLOWING = Set.of("AND", "ORDER", "GROUP", "HAVING", "LIMIT", ";", "");

    private SchemaStatements() {}

    /**
     * The session that asks.
     *
     * @param schema the schema in use; null for none
     * @param version the value of VERSION() in the session
     */
    public record Asker(String schema, String version) {}

    /** Reads what follows SHOW; empty, with nothing read, when it is no question about schemas. */
    public static Optional<SchemaQuestion> show(SqlReader reader, Asker asker) {
        if (reader.accept("DATABASES") || reader.accept("SCHEMAS")) {
            Condition condition = condition(reader);
            return Optional.of(listed("SCHEMA_NAME AS `Database`", "SCHEMATA", null, "`Database`", condition)
                    .of(new Listed(true, List.of("Database"), condition)));
        }
        if (reader.accept("CREATE")) {
            return Optional.of(create(reader, asker));
        }
        if (reader.accept("TABLES") || reader.accept("EXTENDED", "TABLES")) {
            return Optional.of(tables(reader, asker, false));
        }
        if (reader.accept("FULL", "TABLES") || reader.accept("EXTENDED", "FULL", "TABLES")) {
            return Optional.of(tables(reader, asker, true));
        }
        if (reader.accept("TABLE", "STATUS")) {
            String schema = schema(reader, asker);
            return Optional.of(listed(TABLE_STATUS, "TABLES", schema, "`Name`", condition(reader))
                    .of(null));
        }
        return columnsOrIndexes(reader, asker).or(() -> plain(reader));
    }

    private static Optional<SchemaQuestion> columnsOrIndexes(SqlReader reader, Asker asker) {
        boolean full = reader.isNext("FULL", "COLUMNS")
                || reader.isNext("FULL", "FIELDS")
                || reader.isNext("EXTENDED", "FULL", "COLUMNS")
                || reader.isNext("EXTENDED", "FULL", "FIELDS");
        if (full || reader.isNext("COLUMNS") || reader.isNext("FIELDS")) {
            reader.acceptAny("EXTENDED");
            reader.acceptAny("FULL");
            reader.next();
            TableName table = table(reader, asker);
            return Optional.of(new SchemaQuestion.OfTable(
                    full ? "SHOW FULL COLUMNS FROM" : "SHOW COLUMNS FROM", table, condition(reader), List.of(), -1));
        }
        if (reader.acceptAny("INDEX", "INDEXES", "KEYS")) {
            TableName table = table(reader, asker);
            return Optional.of(new SchemaQuestion.OfTable("SHOW INDEX FROM", table, condition(reader), List.of(0), -1));
        }
        return Optional.empty();
    }

    private static Optional<SchemaQuestion> plain(SqlReader reader) {
        for (String what : List.of("COLLATION", "CHARSET", "ENGINES")) {
            if (reader.accept(what)) {
                return Optional.of(new SchemaQuestion.Plain(
                        "SHOW " + what + condition(reader).text()));
            }
        }
        if (reader.accept("CHARACTER", "SET")) {
            return Optional.of(new SchemaQuestion.Plain(
                    "SHOW CHARACTER SET" + condition(reader).text()));
        }
        return Optional.empty();
    }

    /** Reads DESCRIBE, with a table and optionally one of its columns. */
    public static SchemaQuestion describe(SqlReader reader, Asker asker) {
        TableName table = qualified(reader, asker);
        Condition column =
                reader.atEnd() ? Condition.NONE : new Condition(reader.next().text(), null);
        reader.expectEnd();
        return new SchemaQuestion.OfTable("SHOW COLUMNS FROM", table, column, List.of(), -1);
    }

    /** The columns of a table of the schema in use, with their types and without rows. */
    public static SchemaQuestion columns(String table, Asker asker) {
        return new SchemaQuestion.OfTable(
                "SELECT * FROM", new TableName(inUse(asker), table), Condition.NO_ROW, List.of(), -1);
    }

    private static SchemaQuestion create(SqlReader reader, Asker asker) {
        if (reader.acceptAny("DATABASE", "SCHEMA")) {
            boolean ifNotExists = reader.accept("IF", "NOT", "EXISTS");
            String schema = reader.name();
            reader.expectEnd();
            return new SchemaQuestion.OfSchema(
                    ifNotExists ? "SHOW CREATE DATABASE IF NOT EXISTS" : "SHOW CREATE DATABASE", schema);
        }
        String what = reader.accept("VIEW") ? "VIEW" : "TABLE";
        if (what.equals("TABLE")) {
            reader.expect("TABLE");
        }
        TableName table = qualified(reader, asker);
        reader.expectEnd();
        return new SchemaQuestion.OfTable("SHOW CREATE " + what, table, Condition.NONE, List.of(0), 1);
    }

    private static SchemaQuestion tables(SqlReader reader, Asker asker, boolean full) {
        String schema = schema(reader, asker);
        String name = SqlNames.name("Tables_in_" + schema);
        String columns = "TABLE_NAME AS " + name + (full ? ", TABLE_TYPE AS `Table_type`" : "");
        Condition condition = condition(reader);
        String shown = "Tables_in_" + schema;
        return listed(columns, "TABLES", schema, name, condition)
                .of(new Listed(false, full ? List.of(shown, "Table_type") : List.of(shown), condition));
    }

    /** Reads nothing, LIKE or WHERE, up to the end. */
    private static Condition condition(SqlReader reader) {
        Condition condition = Condition.NONE;
        if (reader.accept("LIKE")) {
            condition = new Condition(reader.string(), null);
        } else if (reader.accept("WHERE")) {
            List<StatementToken> rest = reader.rest();
            requireNoTables(rest);
            StatementWhitelist.check(rest);
            condition = new Condition(null, SqlText.tokens(rest));
            reader.skipRest();
        }
        reader.expectEnd();
        return condition;
    }

    private static void requireNoTables(List<StatementToken> condition) {
        condition.stream().filter(token -> token.is("SELECT")).findFirst().ifPresent(token -> {
            throw SqlRefusal.syntax(token.text());
        });
    }

    /** A list selected from a table of information_schema. */
    private static SchemaQuestion.Select listed(
            String columns, String table, String schema, String name, Condition condition) {
        String of = schema == null ? "" : " WHERE s.TABLE_SCHEMA = " + SqlText.literal(schema);
        String where = "";
        if (condition.like() != null) {
            where = " WHERE " + name + " LIKE " + SqlText.literal(condition.like());
        } else if (condition.where() != null) {
            where = " WHERE " + condition.where();
        }
        String outer = where + " ORDER BY 1";
        Function<Function<String, String>, String> text =
                views -> "SELECT * FROM (SELECT " + columns + " FROM " + views.apply(table) + " s" + of + ") t" + outer;
        return new SchemaQuestion.Select(text, Set.of(table), new Named(schema, null), Optional.empty());
    }

    /** The names of all tables of the shard, in two columns. */
    static SchemaQuestion tableNames() {
        return new SchemaQuestion.Select(
                views -> "SELECT TABLE_SCHEMA, TABLE_NAME FROM " + views.apply("TABLES") + " t",
                Set.of("TABLES"),
                Named.ALL,
                Optional.empty());
    }

    /** SHOW CREATE TABLE. */
    static SchemaQuestion createTable(TableName table) {
        return new SchemaQuestion.OfTable("SHOW CREATE TABLE", table, Condition.NONE, List.of(0), 1);
    }

    /** Reads {@code FROM schema} or {@code IN schema}; else the schema in use. */
    private static String schema(SqlReader reader, Asker asker) {
        if (reader.acceptAny("FROM", "IN")) {
            return reader.name();
        }
        return inUse(asker);
    }

    private static String inUse(Asker asker) {
        if (asker.schema() == null) {
            throw new SqlRefusal(MysqlError.ER_NO_DB_ERROR, "No database selected");
        }
        return asker.schema();
    }

    /** Reads {@code FROM table [FROM schema]}. */
    private static TableName table(SqlReader reader, Asker asker) {
        if (!reader.acceptAny("FROM", "IN")) {
            throw reader.refusal();
        }
        String first = reader.name();
        if (reader.accept(".")) {
            return new TableName(first, reader.name());
        }
        return new TableName(reader.acceptAny("FROM", "IN") ? reader.name() : inUse(asker), first);
    }

    private static TableName qualified(SqlReader reader, Asker asker) {
        String first = reader.name();
        return reader.accept(".") ? new TableName(first, reader.name()) : new TableName(inUse(asker), first);
    }

    /** Whether what follows SELECT has a FROM clause of its own, other than FROM DUAL. */
    public static boolean readsTables(SqlReader reader) {
        List<StatementToken> tokens = reader.rest();
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 0 && tokens.get(i).is("FROM") && !tokens.get(i + 1).is("DUAL")) {
                return true;
            }
        }
        return false;
    }

    /** Whether all tables that a SELECT reads are of information_schema. */
    public static boolean readsSchemas(SqlReader reader, Asker asker) {
        return new SelectTables(reader.rest(), asker).areAllOfSchemas();
    }

    /** Reads what follows SELECT, if {@link #readsSchemas} is true. */
    public static SchemaQuestion select(SqlReader reader, Asker asker) {
        List<StatementToken> tokens = reader.rest();
        StatementWhitelist.check(tokens);
        SelectTables tables = new SelectTables(tokens, asker);
        tables.tables().forEach(TableNameMapping::requireKnown);
        Set<String> views = new HashSet<>();
        tables.tables().forEach(view -> views.add(view.toUpperCase(Locale.ROOT)));
        Named named = tables.tables().size() == 1 ? named(tokens) : Named.ALL;
        return new SchemaQuestion.Select(tables::text, views, named, Optional.empty());
    }

    /** The tables that a condition selects, if it is simple: only comparisons with a text, joined with AND. */
    private static Named named(List<StatementToken> tokens) {
        if (tokens.stream().anyMatch(token -> OTHER_WORDS.contains(token.upper()))) {
            return Named.ALL;
        }
        String schema = null;
        String table = null;
        int depth = 0;
        for (int i = 1; i + 3 < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            boolean isWhole = depth == 0
                    && tokens.get(i).isName()
                    && (tokens.get(i - 1).is("WHERE") || tokens.get(i - 1).is("AND"))
                    && tokens.get(i + 1).is("=")
                    && tokens.get(i + 2).kind() == StatementToken.Kind.STRING
                    && FOLLOWING.contains(tokens.get(i + 3).upper());
            if (isWhole && tokens.get(i).upper().equals("TABLE_SCHEMA")) {
                schema = tokens.get(i + 2).text();
            } else if (isWhole && tokens.get(i).upper().equals("TABLE_NAME")) {
                table = tokens.get(i + 2).text();
            }
        }
        return new Named(schema, table);
    }
}
