package io.tributary.dumper.filter;

import io.tributary.common.value.TableName;
import io.tributary.dumper.sql.SqlReader;
import io.tributary.dumper.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables and schemas that a DDL statement is about, by the shapes of MySQL's manual; those that a definition merely refers to
 * do not count. A statement of no such shape is about nothing that is known.
 */
final class StatementNames {
    private static final String[] BEFORE_OBJECT = {
        "OR", "REPLACE", "TEMPORARY", "UNIQUE", "FULLTEXT", "SPATIAL", "ONLINE", "OFFLINE", "IGNORE", "UNDO"
    };

    private final SqlReader reader;
    private final String schema;
    private final List<TableName> names = new ArrayList<>();

    private StatementNames(SqlReader reader, String schema) {
        this.reader = reader;
        this.schema = schema;
    }

    /** @param schema the one in use where the statement ran; an empty table in the answer stands for a whole schema */
    static List<TableName> of(String sql, String schema) {
        try {
            StatementNames found = new StatementNames(new SqlReader(sql), schema);
            found.read();
            return found.names;
        } catch (SqlRefusal e) {
            return List.of(); // not of a known shape
        }
    }

    private void read() {
        if (reader.accept("TRUNCATE")) {
            reader.acceptAny("TABLE");
            table();
        } else if (reader.accept("RENAME")) {
            reader.expect("TABLE");
            renamed();
        } else if (reader.acceptAny("CREATE", "ALTER", "DROP")) {
            object();
        } else if (reader.acceptAny("ANALYZE", "OPTIMIZE", "REPAIR")) {
            reader.acceptAny("NO_WRITE_TO_BINLOG", "LOCAL");
            reader.expect("TABLE");
            tables();
        }
    }

    private void renamed() {
        do {
            table();
            reader.expect("TO");
            table();
        } while (reader.accept(","));
    }

    private void object() {
        while (reader.acceptAny(BEFORE_OBJECT)) {}
        skipViewOptions();
        boolean isIndex = reader.accept("INDEX");
        if (reader.acceptAny("DATABASE", "SCHEMA")) {
            ifExists();
            names.add(new TableName(reader.name(), ""));
        } else if (reader.acceptAny("TABLE", "VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT")) {
            ifExists();
            tables();
        } else if (isIndex) {
            while (!reader.atEnd() && !reader.accept("ON")) {
                reader.take();
            }
            table();
        }
    }

    /** CREATE ALGORITHM = ... DEFINER = ... SQL SECURITY ... VIEW. */
    private void skipViewOptions() {
        if (reader.sees("ALGORITHM") || reader.sees("DEFINER") || reader.sees("SQL", "SECURITY")) {
            while (!reader.atEnd()
                    && !reader.sees("VIEW")
                    && !reader.sees("TRIGGER")
                    && !reader.sees("PROCEDURE")
                    && !reader.sees("FUNCTION")
                    && !reader.sees("EVENT")) {
                reader.take();
            }
        }
    }

    private void ifExists() {
        if (!reader.accept("IF", "NOT", "EXISTS")) {
            reader.accept("IF", "EXISTS");
        }
    }

    private void tables() {
        do {
            table();
        } while (reader.accept(","));
    }

    private void table() {
        String first = reader.name();
        names.add(reader.accept(".") ? new TableName(first, reader.name()) : new TableName(schema, first));
    }
}
