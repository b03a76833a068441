package io.tributary.serve.filter;

import io.tributary.common.value.TableName;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables and schemas that a DDL statement changes, according to the syntax in MySQL's manual; those that a definition only refers to do
 * not count. A statement in another form changes nothing that is known.
 */
final class StatementNames {
    private static final String[] BEFORE_OBJECT = {
        "OR", "REPLACE", "TEMPORARY", "UNIQUE", "FULLTEXT", "SPATIAL", "ONLINE", "OFFLINE", "IGNORE", "UNDO"
    };

    private final SqlReader reader;
    private final String schema;
    private final List<TableName> names = new ArrayList<>();
    private final List<Entry> list = new ArrayList<>();

    /**
     * An element of a list of tables that a statement changes in the same way.
     *
     * @param start offset of its first character; from the second element on, offset of the comma before it
     * @param end offset after its last character
     * @param names one name, or two in RENAME
     */
    record Entry(int start, int end, List<TableName> names) {}

    private StatementNames(SqlReader reader, String schema) {
        this.reader = reader;
        this.schema = schema;
    }

    /**
     * Reads a statement.
     *
     * @param schema the schema in use when the statement ran
     */
    static StatementNames of(String sql, String schema) {
        try {
            StatementNames found = new StatementNames(new SqlReader(sql), schema);
            found.read();
            return found;
        } catch (SqlRefusal e) {
            return new StatementNames(new SqlReader(""), schema); // not in a known form
        }
    }

    /** The tables that it changes; an empty table name represents a whole schema. */
    List<TableName> names() {
        return names;
    }

    /** The elements, if the statement changes a list of tables in the same way; else empty. */
    List<Entry> list() {
        return list;
    }

    private void read() {
        if (reader.accept("TRUNCATE")) {
            reader.acceptAny("TABLE");
            table();
        } else if (reader.accept("RENAME")) {
            reader.expect("TABLE");
            list(this::renamed);
        } else if (reader.accept("DROP")) {
            object(true);
        } else if (reader.acceptAny("CREATE", "ALTER")) {
            object(false);
        } else if (reader.acceptAny("ANALYZE", "OPTIMIZE", "REPAIR")) {
            reader.acceptAny("NO_WRITE_TO_BINLOG", "LOCAL");
            reader.expect("TABLE");
            list(this::table);
        }
    }

    private void list(Runnable entry) {
        do {
            boolean isFirst = list.isEmpty();
            int start = isFirst ? reader.peek().start() : reader.lastEnd() - 1;
            int before = names.size();
            entry.run();
            list.add(new Entry(start, reader.lastEnd(), List.copyOf(names.subList(before, names.size()))));
        } while (reader.accept(","));
    }

    private void renamed() {
        table();
        reader.expect("TO");
        table();
    }

    private void object(boolean isDropped) {
        while (reader.acceptAny(BEFORE_OBJECT)) {}
        skipViewOptions();
        boolean isIndex = reader.accept("INDEX");
        if (reader.acceptAny("DATABASE", "SCHEMA")) {
            ifExists();
            names.add(new TableName(reader.name(), ""));
        } else if (reader.acceptAny("TABLE", "VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT")) {
            ifExists();
            if (isDropped) {
                list(this::table);
            } else {
                table();
            }
        } else if (isIndex) {
            while (!reader.atEnd() && !reader.accept("ON")) {
                reader.next();
            }
            table();
        }
    }

    /** CREATE ALGORITHM = ... DEFINER = ... SQL SECURITY ... VIEW. */
    private void skipViewOptions() {
        if (reader.isNext("ALGORITHM") || reader.isNext("DEFINER") || reader.isNext("SQL", "SECURITY")) {
            while (!reader.atEnd()
                    && !reader.isNext("VIEW")
                    && !reader.isNext("TRIGGER")
                    && !reader.isNext("PROCEDURE")
                    && !reader.isNext("FUNCTION")
                    && !reader.isNext("EVENT")) {
                reader.next();
            }
        }
    }

    private void ifExists() {
        if (!reader.accept("IF", "NOT", "EXISTS")) {
            reader.accept("IF", "EXISTS");
        }
    }

    private void table() {
        String first = reader.name();
        names.add(reader.accept(".") ? new TableName(first, reader.name()) : new TableName(schema, first));
    }
}
