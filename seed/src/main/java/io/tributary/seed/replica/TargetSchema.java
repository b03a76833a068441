package io.tributary.seed.replica;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.LogicalView;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The schemas, tables and views of the target. Nothing that it does is in the target's binlog. */
public final class TargetSchema {
    private static final String TABLES =
            "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA"
                    + " NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema', '" + TargetProgress.SCHEMA
                    + "')";

    private final SqlSession target;

    /** @param target a session prepared by {@link #prepare}; not owned */
    public TargetSchema(SqlSession target) {
        this.target = target;
    }

    /** Prepares a session: what it makes has the same definition as on its shard, and is not logged. */
    public static void prepare(SqlSession target) {
        target.run(
                "SET NAMES utf8mb4",
                "SET SESSION sql_log_bin = 0",
                "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', foreign_key_checks = 0,"
                        + " time_zone = '+00:00', explicit_defaults_for_timestamp = 1, innodb_strict_mode = 0");
        for (String setting : Set.of("sql_require_primary_key = 0", "sql_generate_invisible_primary_key = 0")) {
            var unused = target.isRefused("SET SESSION " + setting, MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE);
        }
    }

    /** The tables and views that it has. */
    public Set<TableName> tables() {
        try {
            Set<TableName> tables = new LinkedHashSet<>();
            for (QueryResult.Row row : target.query(TABLES).rows()) {
                tables.add(new TableName(row.text(0), row.text(1)));
            }
            return tables;
        } catch (MysqlServerError e) {
            throw target.failed("the list of tables", e);
        }
    }

    /** Makes a schema if there is none of that name. */
    public void create(SchemaDefault schema) {
        target.run("CREATE DATABASE IF NOT EXISTS " + SqlNames.name(schema.schema()) + " CHARACTER SET "
                + schema.charset() + " COLLATE " + schema.collation());
    }

    /** Makes a table without triggers: their effects are in the rows. */
    public void create(LogicalTable table) {
        target.run("USE " + SqlNames.name(table.name().schema()), table.createStatement());
    }

    /** Makes a view; returns the target's error if it refuses it, such as for a definer that does not exist. */
    public Optional<String> create(LogicalView view) {
        try {
            target.run("USE " + SqlNames.name(view.name().schema()));
            var unused = target.query(view.createStatement());
            return Optional.empty();
        } catch (MysqlServerError e) {
            return Optional.of(e.serverMessage());
        }
    }

    /** Drops a table, if it exists. */
    public void drop(TableName table) {
        target.run("DROP TABLE IF EXISTS " + SqlNames.name(table));
    }
}
