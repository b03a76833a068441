package io.tributary.dumper.schema;

import io.tributary.common.value.TableName;
import io.tributary.dumper.filter.TableFilter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A question about schemas, and how it is put to a shard. */
public sealed interface SchemaQuestion {
    /** The statement for the shard. */
    String sql(ShardNames names);

    /** The answer's column of a number, as the reader is to see it. */
    default String shown(int column, String value, ShardNames names) {
        return value;
    }

    /** The same as one asks it who may know only of some tables. */
    default SchemaQuestion by(TableFilter reads) {
        return reads.isAll() ? this : new Limited(this, reads);
    }

    /**
     * A question of one who may know only of some tables.
     *
     * @param reads those
     */
    record Limited(SchemaQuestion question, TableFilter reads) implements SchemaQuestion {
        @Override
        public String sql(ShardNames names) {
            return question.sql(names.limitedTo(reads));
        }

        @Override
        public String shown(int column, String value, ShardNames names) {
            boolean isDefinition = question instanceof OfTable one && column == one.definitionColumn();
            return question.shown(column, value, isDefinition ? names.limitedTo(reads) : names);
        }
    }

    /** The same with rows of definitions in place of some of the shard's. */
    default SchemaQuestion over(Overlay overlay) {
        return new Overlaid(this, overlay);
    }

    /** A question of whose rows some come from definitions. */
    record Overlaid(SchemaQuestion question, Overlay overlay) implements SchemaQuestion {
        @Override
        public String sql(ShardNames names) {
            return question.sql(names.with(overlay));
        }
    }

    /**
     * Which tables a question is about.
     *
     * @param schema null for all
     * @param table null for all
     */
    record Named(String schema, String table) {
        static final Named ALL = new Named(null, null);

        boolean includes(TableName name) {
            return (schema == null || schema.equalsIgnoreCase(name.schema()))
                    && (table == null || table.equalsIgnoreCase(name.table()));
        }
    }

    /**
     * LIKE, WHERE or neither.
     *
     * @param like its pattern, or null
     * @param where what stands behind it, or null
     */
    record Condition(String like, String where) {
        static final Condition NONE = new Condition(null, null);
        static final Condition NO_ROW = new Condition(null, "FALSE");

        String text() {
            if (like != null) {
                return " LIKE " + SqlText.literal(like);
            }
            return where == null ? "" : " WHERE " + where;
        }
    }

    /** A SHOW that lists tables or schemas, in a column with their names and perhaps one with the tables' type. */
    record Listed(boolean isOfSchemas, List<String> columns, Condition condition) {}

    /**
     * A SELECT, or what is answered by one, over tables of information_schema, which the shard's names are put into.
     *
     * @param text makes the statement, given what to write in place of such a table
     * @param views those tables, in upper case
     * @param named the tables that it is about
     * @param list what it lists, where names are enough for an answer
     */
    record Select(
            Function<Function<String, String>, String> text, Set<String> views, Named named, Optional<Listed> list)
            implements SchemaQuestion {
        Select of(Listed shown) {
            return new Select(text, views, named, Optional.ofNullable(shown));
        }

        /** Whether what it selects from depends on definitions of tables. */
        boolean isOfTables() {
            return views.stream().anyMatch(TableRows.VIEWS::contains);
        }

        /** Whether the shape of tables matters, and not only which there are. */
        boolean showsColumns() {
            return views.stream()
                    .anyMatch(view ->
                            TableRows.VIEWS.contains(view) && !view.equals("TABLES") && !view.equals("SCHEMATA"));
        }

        @Override
        public String sql(ShardNames names) {
            return text.apply(names::view);
        }
    }

    /** A statement that names nothing, such as SHOW COLLATION. */
    record Plain(String text) implements SchemaQuestion {
        @Override
        public String sql(ShardNames names) {
            return text;
        }
    }

    /**
     * A SHOW that names one table.
     *
     * @param before what stands before its name
     * @param table logical
     * @param condition what stands behind
     * @param nameColumns columns of the answer that hold the table's name
     * @param definitionColumn the column that holds a CREATE statement; -1 for none
     */
    record OfTable(String before, TableName table, Condition condition, List<Integer> nameColumns, int definitionColumn)
            implements SchemaQuestion {
        @Override
        public String sql(ShardNames names) {
            TableName physical = names.physical(table);
            return before + " " + SqlText.name(physical.schema()) + "." + SqlText.name(physical.table())
                    + condition.text();
        }

        @Override
        public String shown(int column, String value, ShardNames names) {
            if (value == null) {
                return null;
            }
            if (nameColumns.contains(column)) {
                return table.table();
            }
            return column == definitionColumn ? names.logicalDefinition(table, value) : value;
        }
    }

    /** SHOW CREATE DATABASE. */
    record OfSchema(String before, String schema) implements SchemaQuestion {
        @Override
        public String sql(ShardNames names) {
            return before + " " + SqlText.name(names.physicalSchema(schema));
        }

        @Override
        public String shown(int column, String value, ShardNames names) {
            String physical = SqlText.name(names.physicalSchema(schema));
            return column == 0 || value == null ? schema : value.replace(physical, SqlText.name(schema));
        }
    }
}
