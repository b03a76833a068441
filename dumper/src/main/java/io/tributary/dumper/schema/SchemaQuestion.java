package io.tributary.dumper.schema;

import io.tributary.common.value.TableName;
import io.tributary.dumper.filter.TableFilter;
import java.util.List;
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

    /**
     * A SELECT, or what is answered by one, over tables of information_schema, which the shard's names are put into.
     *
     * @param text makes the statement, given what to write in place of such a table
     */
    record Select(Function<Function<String, String>, String> text) implements SchemaQuestion {
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
     * @param after what stands behind
     * @param nameColumns columns of the answer that hold the table's name
     * @param definitionColumn the column that holds a CREATE statement; -1 for none
     */
    record OfTable(String before, TableName table, String after, List<Integer> nameColumns, int definitionColumn)
            implements SchemaQuestion {
        @Override
        public String sql(ShardNames names) {
            TableName physical = names.physical(table);
            return before + " " + SqlText.name(physical.schema()) + "." + SqlText.name(physical.table()) + after;
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
