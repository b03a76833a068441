package io.tributary.collector;

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

/** The keys of ordering and of the preparation of output transactions. */
public record CollectorConfig(
        @Key(
                value = "order.indoubt.warn",
                byDefault = "10s",
                min = "100ms",
                max = "1d",
                about = "A distributed transaction that is not complete after this is named in the log.")
        Duration inDoubtWarn,

        @Key(
                value = "ddl.rows",
                formerly = "ddl.mixed",
                byDefault = "reshape",
                live = true,
                about =
                        "What to do with rows whose columns are not those of their table in the output, since a schema change has not"
                                + " reached every shard: reshape turns them into what the change makes of them, refuse holds their shard, pass"
                                + " writes them as they are.")
        MixedRows ddlRows,

        @Key(
                value = "ddl.rows.pass",
                formerly = "ddl.mixed.pass",
                live = true,
                about = "Logical tables, schema.table, whose rows pass in whatever shape, whatever ddl.rows says.")
        List<String> ddlRowsPass,

        @Key(
                value = "ddl.approximate",
                byDefault = "warn",
                live = true,
                about =
                        "What to do with ALTER TABLE on a table of several members that adds a column which each shard fills with values of its"
                                + " own (a default that is no constant, AUTO_INCREMENT): warn writes it, refuse holds its shard.")
        Approximate ddlApproximate,

        @Key(
                value = "ddl.drop",
                byDefault = "wait",
                live = true,
                about =
                        "What to do with DROP TABLE of a member: wait for the other members' own and write it then, or ignore: it changes this member"
                                + " only, and the rows stay on the replicas. table.map.<name>.ddl.drop says it for some tables.")
        Removal ddlDrop,

        @Key(
                value = "ddl.truncate",
                byDefault = "wait",
                live = true,
                about = "The same for TRUNCATE TABLE; table.map.<name>.ddl.truncate says it for some tables.")
        Removal ddlTruncate,

        @Key(
                value = "ddl.gipk",
                byDefault = "drop",
                about =
                        "What to do with primary keys that servers make (sql_generate_invisible_primary_key) where a table has several members, whose"
                                + " numbers collide: drop cuts the column my_row_id from rows, keep leaves it.")
        GeneratedKeys ddlGipk,

        @Key(
                value = "ddl.wait",
                byDefault = "1min",
                min = "0s",
                max = "30d",
                about =
                        "A DDL statement that waits for other members for so long is named in the log, with the commands that"
                                + " end the wait; 0s: never. It waits on all the same.")
        Duration ddlWait,

        @Key(
                value = "ddl.warn",
                byDefault = "1min",
                min = "100ms",
                max = "30d",
                about = "A DDL statement that some shards have not logged after this is named in the log.")
        Duration ddlWarn,

        @Key(
                value = "binlog.parallel",
                byDefault = "shards",
                about = "What replicas may replay in parallel: shards (rows do not move between shards in local"
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
                about = "Bytes of transactions that are prepared and sent together.")
        ByteSize batch,

        @Key(
                value = "collect.batch.transactions",
                byDefault = "2048",
                min = "1",
                max = "65536",
                about = "Transactions that are prepared and sent together.")
        int batchTransactions,

        @Key(
                value = "collect.large",
                byDefault = "4MiB",
                min = "1KiB",
                max = "64MiB",
                about = "A transaction larger than this is sent in pieces and never lies in memory as a whole.")
        ByteSize large,

        @Key(
                value = "collect.workers",
                byDefault = "1",
                min = "1",
                max = "64",
                about = "Threads that lay out the bytes of output transactions.")
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

    /** What happens to rows whose columns do not fit. */
    public DdlRows rows() {
        Map<String, MixedRows> byTable = new HashMap<>();
        ddlRowsPass.forEach(table -> byTable.put(table, MixedRows.PASS));
        return new DdlRows(ddlRows, byTable);
    }

    /**
     * What happens to statements.
     *
     * @param drop what counts for a physical table
     * @param truncate likewise
     */
    public SchemaRules statements(Function<TableName, Removal> drop, Function<TableName, Removal> truncate) {
        return new SchemaRules(
                ddlApproximate == Approximate.REFUSE,
                table -> drop.apply(table) == Removal.IGNORE,
                table -> truncate.apply(table) == Removal.IGNORE,
                ddlGipk == GeneratedKeys.DROP);
    }

    /** What happens to statements, the same for all tables. */
    public SchemaRules statements() {
        return statements(table -> ddlDrop, table -> ddlTruncate);
    }

    /** All keys by default; for tests and embedding. */
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
