package io.tributary.collector;

import io.tributary.collector.rows.DdlRows;
import io.tributary.collector.rows.MixedRows;
import io.tributary.collector.schema.SchemaRules;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.common.value.Removal;
import io.tributary.common.value.TableName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The configuration keys of ordering and of the preparation of output transactions. */
public record CollectorConfig(
        @Key(
                value = "order.indoubt.warn",
                byDefault = "10s",
                min = "100ms",
                max = "1d",
                about = "A distributed transaction that is not complete after this time is reported in the log.")
        Duration inDoubtWarn,

        @Key(
                value = "ddl.rows",
                formerly = "ddl.mixed",
                byDefault = "reshape",
                live = true,
                about = "What to do with rows whose columns differ from those of their table in the output, because a"
                        + " schema change has not reached every shard yet: reshape converts them as the"
                        + " schema change does, refuse holds their shard, pass writes them as they are.")
        MixedRows ddlRows,

        @Key(
                value = "ddl.rows.pass",
                formerly = "ddl.mixed.pass",
                live = true,
                about = "Logical tables, schema.table, whose rows pass in any shape, whatever ddl.rows is.")
        List<String> ddlRowsPass,

        @Key(
                value = "ddl.approximate",
                byDefault = "warn",
                live = true,
                about = "What to do with ALTER TABLE on a table of several members that adds a column which each"
                        + " shard fills with its own values (a default that is not constant, AUTO_INCREMENT):"
                        + " warn writes it, refuse holds its shard.")
        Approximate ddlApproximate,

        @Key(
                value = "ddl.drop",
                byDefault = "wait",
                live = true,
                about = "What to do with DROP TABLE of a member: wait for the DROP TABLE of the other members and"
                        + " write it then, or ignore: it changes this member only, and the rows stay on the"
                        + " replicas. table.map.<name>.ddl.drop sets it for some tables.")
        Removal ddlDrop,

        @Key(
                value = "ddl.truncate",
                byDefault = "wait",
                live = true,
                about = "What to do with TRUNCATE TABLE of a member: wait or ignore, as in ddl.drop."
                        + " table.map.<name>.ddl.truncate sets it for some tables.")
        Removal ddlTruncate,

        @Key(
                value = "ddl.gipk",
                byDefault = "drop",
                about = "What to do with primary keys that servers generate (sql_generate_invisible_primary_key) if a"
                        + " table has several members, because their numbers collide: drop removes the column"
                        + " my_row_id from rows, keep leaves it.")
        GeneratedKeys ddlGipk,

        @Key(
                value = "ddl.wait",
                byDefault = "1min",
                min = "0s",
                max = "30d",
                about = "A DDL statement that waits for other members for this long is reported in the log, with the"
                        + " commands that end the wait; 0s: never. It continues to wait.")
        Duration ddlWait,

        @Key(
                value = "ddl.warn",
                byDefault = "1min",
                min = "100ms",
                max = "30d",
                about = "A DDL statement that some shards have not logged after this time is reported in the log.")
        Duration ddlWarn,

        @Key(
                value = "binlog.parallel",
                byDefault = "shards",
                about = "What replicas may apply in parallel: shards (rows do not move between shards in local"
                        + " transactions) or none.")
        BinlogParallel parallel,

        @Key(
                value = "binlog.cut.idle",
                byDefault = "1s",
                min = "10ms",
                max = "1h",
                about = "How often a cut is written while no transaction arrives.")
        Duration idleCutInterval,

        @Key(
                value = "collect.batch",
                byDefault = "256KiB",
                min = "1KiB",
                max = "16MiB",
                about = "Bytes of transactions that are encoded and sent together.")
        ByteSize batch,

        @Key(
                value = "collect.batch.transactions",
                byDefault = "2048",
                min = "1",
                max = "65536",
                about = "Transactions that are encoded and sent together.")
        int batchTransactions,

        @Key(
                value = "collect.large",
                byDefault = "4MiB",
                min = "1KiB",
                max = "64MiB",
                about = "A transaction larger than this is sent in pieces and is never in memory as a whole.")
        ByteSize large,

        @Key(
                value = "collect.workers",
                byDefault = "1",
                min = "1",
                max = "64",
                about = "Threads that encode output transactions.")
        int workers) {
    /** Checks the names. */
    public CollectorConfig {
        ddlRowsPass = List.copyOf(ddlRowsPass);
        for (String table : ddlRowsPass) {
            int dot = table.indexOf('.');
            if (dot <= 0 || dot == table.length() - 1) {
                throw new IllegalArgumentException("ddl.rows.pass: expected schema.table, found '" + table + "'");
            }
        }
    }

    /** What to do with rows whose columns do not match the output. */
    public DdlRows rows() {
        Map<String, MixedRows> byTable = new HashMap<>();
        ddlRowsPass.forEach(table -> byTable.put(table, MixedRows.PASS));
        return new DdlRows(ddlRows, byTable);
    }

    /**
     * What to do with statements.
     *
     * @param drop the rule for a physical table
     * @param truncate likewise
     */
    public SchemaRules statements(Function<TableName, Removal> drop, Function<TableName, Removal> truncate) {
        return new SchemaRules(
                ddlApproximate == Approximate.REFUSE,
                table -> drop.apply(table) == Removal.IGNORE,
                table -> truncate.apply(table) == Removal.IGNORE,
                ddlGipk == GeneratedKeys.DROP);
    }

    /** What to do with statements, the same for all tables. */
    public SchemaRules statements() {
        return statements(table -> ddlDrop, table -> ddlTruncate);
    }

    /** All keys with their defaults; for tests and embedding. */
    public static CollectorConfig byDefault() {
        return new CollectorConfig(
                Duration.ofSeconds(10),
                MixedRows.RESHAPE,
                List.of(),
                Approximate.WARN,
                Removal.WAIT,
                Removal.WAIT,
                GeneratedKeys.DROP,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                BinlogParallel.SHARDS,
                Duration.ofSeconds(1),
                new ByteSize(256 << 10),
                2048,
                new ByteSize(4 << 20),
                1);
    }
}
