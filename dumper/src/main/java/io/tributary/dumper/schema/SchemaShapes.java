package io.tributary.dumper.schema;

import io.tributary.common.value.TableName;
import io.tributary.dumper.sql.SqlReader;
import io.tributary.dumper.sql.SqlRefusal;
import io.tributary.dumper.sql.SqlToken;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Which statements are questions about schemas: the shapes that tools send (MySQL manual, "SHOW Statements"). */
public final class SchemaShapes {
    private static final String TABLE_STATUS = "TABLE_NAME AS `Name`, ENGINE AS `Engine`, VERSION AS `Version`,"
            + " ROW_FORMAT AS `Row_format`, TABLE_ROWS AS `Rows`, AVG_ROW_LENGTH AS `Avg_row_length`, DATA_LENGTH AS"
            + " `Data_length`, MAX_DATA_LENGTH AS `Max_data_length`, INDEX_LENGTH AS `Index_length`, DATA_FREE AS"
            + " `Data_free`, AUTO_INCREMENT AS `Auto_increment`, CREATE_TIME AS `Create_time`, UPDATE_TIME AS"
            + " `Update_time`, CHECK_TIME AS `Check_time`, TABLE_COLLATION AS `Collation`, CHECKSUM AS `Checksum`,"
            + " CREATE_OPTIONS AS `Create_options`, TABLE_COMMENT AS `Comment`";

    private SchemaShapes() {}

    /**
     * Who asks.
     *
     * @param schema the schema in use; null for none
     * @param version what VERSION() is for him
     */
    public record Asker(String schema, String version) {}

    /** What follows SHOW; empty, with nothing taken, when it is no such question. */
    public static Optional<SchemaQuestion> show(SqlReader reader, Asker asker) {
        if (reader.accept("DATABASES") || reader.accept("SCHEMAS")) {
            return Optional.of(listed("SCHEMA_NAME AS `Database`", "SCHEMATA", null, "`Database`", condition(reader)));
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
            return Optional.of(listed(TABLE_STATUS, "TABLES", schema, "`Name`", condition(reader)));
        }
        return columnsOrIndexes(reader, asker).or(() -> plain(reader));
    }

    private static Optional<SchemaQuestion> columnsOrIndexes(SqlReader reader, Asker asker) {
        boolean full = reader.sees("FULL", "COLUMNS")
                || reader.sees("FULL", "FIELDS")
                || reader.sees("EXTENDED", "FULL", "COLUMNS")
                || reader.sees("EXTENDED", "FULL", "FIELDS");
        if (full || reader.sees("COLUMNS") || reader.sees("FIELDS")) {
            reader.acceptAny("EXTENDED");
            reader.acceptAny("FULL");
            reader.take();
            TableName table = table(reader, asker);
            return Optional.of(new SchemaQuestion.OfTable(
                    full ? "SHOW FULL COLUMNS FROM" : "SHOW COLUMNS FROM",
                    table,
                    conditionText(reader),
                    List.of(),
                    -1));
        }
        if (reader.acceptAny("INDEX", "INDEXES", "KEYS")) {
            TableName table = table(reader, asker);
            return Optional.of(
                    new SchemaQuestion.OfTable("SHOW INDEX FROM", table, conditionText(reader), List.of(0), -1));
        }
        return Optional.empty();
    }

    private static Optional<SchemaQuestion> plain(SqlReader reader) {
        for (String what : List.of("COLLATION", "CHARSET", "ENGINES")) {
            if (reader.accept(what)) {
                return Optional.of(new SchemaQuestion.Plain("SHOW " + what + conditionText(reader)));
            }
        }
        if (reader.accept("CHARACTER", "SET")) {
            return Optional.of(new SchemaQuestion.Plain("SHOW CHARACTER SET" + conditionText(reader)));
        }
        return Optional.empty();
    }

    /** DESCRIBE, with a table and perhaps one of its columns. */
    public static SchemaQuestion describe(SqlReader reader, Asker asker) {
        TableName table = qualified(reader, asker);
        String column =
                reader.atEnd() ? "" : " LIKE " + SqlText.literal(reader.take().text());
        reader.expectEnd();
        return new SchemaQuestion.OfTable("SHOW COLUMNS FROM", table, column, List.of(), -1);
    }

    /** The columns of a table of the schema in use, with their types and without a row. */
    public static SchemaQuestion columns(String table, Asker asker) {
        return new SchemaQuestion.OfTable(
                "SELECT * FROM", new TableName(inUse(asker), table), " LIMIT 0", List.of(), -1);
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
        return new SchemaQuestion.OfTable("SHOW CREATE " + what, table, "", List.of(0), 1);
    }

    private static SchemaQuestion tables(SqlReader reader, Asker asker, boolean full) {
        String schema = schema(reader, asker);
        String name = SqlText.name("Tables_in_" + schema);
        String columns = "TABLE_NAME AS " + name + (full ? ", TABLE_TYPE AS `Table_type`" : "");
        return listed(columns, "TABLES", schema, name, condition(reader));
    }

    /** Nothing, LIKE or WHERE, up to the end. */
    private record Condition(String like, String where) {}

    private static Condition condition(SqlReader reader) {
        Condition condition = new Condition(null, null);
        if (reader.accept("LIKE")) {
            condition = new Condition(reader.string(), null);
        } else if (reader.accept("WHERE")) {
            List<SqlToken> rest = reader.rest();
            requireNoTables(rest);
            AllowedWords.check(rest);
            condition = new Condition(null, SqlText.tokens(rest));
            reader.skipRest();
        }
        reader.expectEnd();
        return condition;
    }

    private static String conditionText(SqlReader reader) {
        Condition condition = condition(reader);
        if (condition.like() != null) {
            return " LIKE " + SqlText.literal(condition.like());
        }
        return condition.where() == null ? "" : " WHERE " + condition.where();
    }

    private static void requireNoTables(List<SqlToken> condition) {
        condition.stream().filter(token -> token.is("SELECT")).findFirst().ifPresent(token -> {
            throw SqlRefusal.syntax(token.text());
        });
    }

    /** A list that is selected from a table of information_schema. */
    private static SchemaQuestion listed(
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
        return new SchemaQuestion.Select(text);
    }

    /** {@code FROM schema} or {@code IN schema}, else the one in use. */
    private static String schema(SqlReader reader, Asker asker) {
        if (reader.acceptAny("FROM", "IN")) {
            return reader.name();
        }
        return inUse(asker);
    }

    private static String inUse(Asker asker) {
        if (asker.schema() == null) {
            throw new SqlRefusal(1046, "3D000", "No database selected");
        }
        return asker.schema();
    }

    /** {@code FROM table [FROM schema]}. */
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

    /** Whether what follows SELECT has a FROM of its own, of anything but DUAL. */
    public static boolean readsTables(SqlReader reader) {
        List<SqlToken> tokens = reader.rest();
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

    /** What follows SELECT, where {@link #readsSchemas} holds. */
    public static SchemaQuestion select(SqlReader reader, Asker asker) {
        List<SqlToken> tokens = reader.rest();
        AllowedWords.check(tokens);
        SelectTables tables = new SelectTables(tokens, asker);
        tables.tables().forEach(ShardNames::requireKnown);
        return new SchemaQuestion.Select(tables::text);
    }
}
