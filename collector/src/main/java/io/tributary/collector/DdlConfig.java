package io.tributary.collector;

import io.tributary.collector.rows.DdlRows;
import io.tributary.collector.rows.MixedRows;
import io.tributary.collector.schema.SchemaRules;
import io.tributary.common.config.Key;
import io.tributary.common.value.Removal;
import io.tributary.common.value.TableName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The configuration keys of schema changes.
 *
 * @param shapes rows whose columns do not match the output
 * @param removals DROP TABLE and TRUNCATE TABLE
 * @param reports statements that are reported in the log
 */
public record DdlConfig(
        RowShapes shapes,

        @Key(
                value = "ddl.approximate",
                byDefault = "warn",
                live = true,
                about = "What to do with ALTER TABLE on a table of several members that adds a column which each"
                        + " shard fills with its own values (a default that is not constant, AUTO_INCREMENT):"
                        + " warn writes it, refuse holds its shard.")
        Approximate approximate,

        Removals removals,

        @Key(
                value = "ddl.gipk",
                byDefault = "drop",
                about = "What to do with primary keys that servers generate (sql_generate_invisible_primary_key) if"
                        + " there are several shards, or a table has several members, because their numbers collide:"
                        + " drop removes the column my_row_id, keep leaves it.")
        GeneratedKeys generatedKeys,

        Reports reports) {
    /** What to do with rows whose columns do not match the output. */
    public record RowShapes(
            @Key(
                    value = "ddl.rows",
                    formerly = "ddl.mixed",
                    byDefault = "reshape",
                    live = true,
                    about = "What to do with rows whose columns differ from those of their table in the output, because"
                            + " a schema change has not reached every shard yet: reshape converts them as the"
                            + " schema change does, refuse holds their shard, pass writes them as they are.")
            MixedRows rows,

            @Key(
                    value = "ddl.rows.pass",
                    formerly = "ddl.mixed.pass",
                    live = true,
                    about = "Logical tables, schema.table, whose rows pass in any shape, whatever ddl.rows is.")
            List<String> pass) {
        /** Checks the names. */
        public RowShapes {
            pass = List.copyOf(pass);
            for (String table : pass) {
                int dot = table.indexOf('.');
                if (dot <= 0 || dot == table.length() - 1) {
                    throw new IllegalArgumentException("ddl.rows.pass: expected schema.table, found '" + table + "'");
                }
            }
        }
    }

    /** What to do with statements that remove rows of one member. */
    public record Removals(
            @Key(
                    value = "ddl.drop",
                    byDefault = "wait",
                    live = true,
                    about = "What to do with DROP TABLE of a member: wait for the DROP TABLE of the other members and"
                            + " write it then, or ignore: it changes this member only, and the rows stay on the"
                            + " replicas. table.map.<name>.ddl.drop sets it for some tables.")
            Removal drop,

            @Key(
                    value = "ddl.truncate",
                    byDefault = "wait",
                    live = true,
                    about = "What to do with TRUNCATE TABLE of a member: wait or ignore, as in ddl.drop."
                            + " table.map.<name>.ddl.truncate sets it for some tables.")
            Removal truncate) {}

    /** The times after which a statement is reported in the log. */
    public record Reports(
            @Key(
                    value = "ddl.wait",
                    byDefault = "1min",
                    min = "0s",
                    max = "30d",
                    about = "A DDL statement that waits for other members for this long is reported in the log, with"
                            + " the commands that end the wait; 0s: never. It continues to wait.")
            Duration waiting,

            @Key(
                    value = "ddl.warn",
                    byDefault = "1min",
                    min = "100ms",
                    max = "30d",
                    about = "A DDL statement that some shards have not logged after this time is reported in the log.")
            Duration missing) {}

    /** What to do with rows whose columns do not match the output, by table. */
    public DdlRows rows() {
        Map<String, MixedRows> byTable = new HashMap<>();
        shapes.pass().forEach(table -> byTable.put(table, MixedRows.PASS));
        return new DdlRows(shapes.rows(), byTable);
    }

    /**
     * What to do with statements.
     *
     * @param drop the rule for a physical table
     * @param truncate likewise
     */
    public SchemaRules statements(Function<TableName, Removal> drop, Function<TableName, Removal> truncate) {
        return new SchemaRules(
                approximate == Approximate.REFUSE,
                table -> drop.apply(table) == Removal.IGNORE,
                table -> truncate.apply(table) == Removal.IGNORE,
                generatedKeys == GeneratedKeys.DROP);
    }

    /** What to do with statements, the same for all tables. */
    public SchemaRules statements() {
        return statements(table -> removals.drop(), table -> removals.truncate());
    }
}
