package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.filter.TableFilter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A question about schemas, and its translation for a shard. */
public sealed interface SchemaQuestion {
    /** The statement for the shard. */
    String sql(TableNameMapping names);

    /**
     * A value of the answer as the reader must see it.
     *
     * @param column its index, from 0
     */
    default String shown(int column, String value, TableNameMapping names) {
        return value;
    }

    /** This question with the limits of a reader that may read only some tables. */
    default SchemaQuestion by(TableFilter reads) {
        return reads.isAll() ? this : new Limited(this, reads);
    }

    /**
     * A question of a reader that may read only some tables.
     *
     * @param reads those tables
     */
    record Limited(SchemaQuestion question, TableFilter reads) implements SchemaQuestion {
        @Override
        public String sql(TableNameMapping names) {
            return question.sql(names.limitedTo(reads));
        }

        @Override
        public String shown(int column, String value, TableNameMapping names) {
            boolean isDefinition = question instanceof OfTable one && column == one.definitionColumn();
            return question.shown(column, value, isDefinition ? names.limitedTo(reads) : names);
        }
    }

    /** This question with rows of definitions that replace rows of the shard. */
    default SchemaQuestion over(Overlay overlay) {
        return new Overlaid(this, overlay);
    }

    /** A question for which definitions replace some rows. */
    record Overlaid(SchemaQuestion question, Overlay overlay) implements SchemaQuestion {
        @Override
        public String sql(TableNameMapping names) {
            return question.sql(names.with(overlay));
        }
    }

    /**
     * The tables that a question is about.
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
     * A condition: LIKE, WHERE or none.
     *
     * @param like the pattern, or null
     * @param where the text after WHERE, or null
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

    /** A SHOW that lists tables or schemas, in a column with their names and optionally one with the tables' types. */
    record Listed(boolean isOfSchemas, List<String> columns, Condition condition) {}

    /**
     * A SELECT, or a statement that is answered by one, on tables of information_schema, into which the shard's names are inserted.
     *
     * @param text makes the statement; its argument returns the replacement of such a table
     * @param views those tables, in upper case
     * @param named the tables that the question is about
     * @param list the list that it requests, if names are enough for an answer
     */
    record Select(
            Function<Function<String, String>, String> text, Set<String> views, Named named, Optional<Listed> list)
            implements SchemaQuestion {
        Select of(Listed shown) {
            return new Select(text, views, named, Optional.ofNullable(shown));
        }

        /** Whether its rows depend on definitions of tables. */
        boolean isOfTables() {
            return views.stream().anyMatch(TableRows.VIEWS::contains);
        }

        /** Whether its rows depend on the columns of tables, not only on their existence. */
        boolean showsColumns() {
            return views.stream()
                    .anyMatch(view ->
                            TableRows.VIEWS.contains(view) && !view.equals("TABLES") && !view.equals("SCHEMATA"));
        }

        @Override
        public String sql(TableNameMapping names) {
            return text.apply(names::view);
        }
    }

    /** A statement without names of schemas or tables, such as SHOW COLLATION. */
    record Plain(String text) implements SchemaQuestion {
        @Override
        public String sql(TableNameMapping names) {
            return text;
        }
    }

    /**
     * A SHOW statement for one table.
     *
     * @param before the text before the table's name
     * @param table logical name
     * @param condition the condition after the name
     * @param nameColumns columns of the answer with the table's name
     * @param definitionColumn the column of a CREATE statement; -1 for none
     */
    record OfTable(String before, TableName table, Condition condition, List<Integer> nameColumns, int definitionColumn)
            implements SchemaQuestion {
        @Override
        public String sql(TableNameMapping names) {
            TableName physical = names.physical(table);
            return before + " " + SqlNames.name(physical) + condition.text();
        }

        @Override
        public String shown(int column, String value, TableNameMapping names) {
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
        public String sql(TableNameMapping names) {
            return before + " " + SqlNames.name(names.physicalSchema(schema));
        }

        @Override
        public String shown(int column, String value, TableNameMapping names) {
            String physical = SqlNames.name(names.physicalSchema(schema));
            return column == 0 || value == null ? schema : value.replace(physical, SqlNames.name(schema));
        }
    }
}
