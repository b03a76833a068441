package io.tributary.seed.replica;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.seed.session.SqlNames;
import io.tributary.seed.session.SqlSession;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a seed has stored in the target, in the schema {@link #SCHEMA}: the transaction after which the copy began, and the tables that are being
 * copied. Nothing of it is in the target's binlog. The schema is dropped at the end.
 */
public final class TargetProgress {
    /** The schema of the progress. */
    public static final String SCHEMA = "tributary_seed";

    /** The number for a table whose events apply from the first one on, and overwrite. */
    public static final long OVERWRITING = -1;

    private static final String BEGIN = SCHEMA + ".progress";
    private static final String COPYING = SCHEMA + ".copying";
    private static final String DIRTY = SCHEMA + ".dirty";
    private static final String NAMES =
            "schema_name VARCHAR(64) COLLATE utf8_bin NOT NULL, table_name VARCHAR(64) COLLATE utf8_bin NOT NULL";

    private final SqlSession target;

    /** @param target a session with sql_log_bin = 0; not owned */
    public TargetProgress(SqlSession target) {
        this.target = target;
    }

    /**
     * The GTIDs of the stream before the copy; empty if no copy has begun.
     *
     * @throws io.tributary.common.error.TributaryException TARGET_FAILED, TARGET_UNREACHABLE
     */
    public Optional<GtidSet> begun() {
        String found = target.value("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '" + SCHEMA
                + "' AND TABLE_NAME = 'progress'");
        if ("0".equals(found)) {
            return Optional.empty();
        }
        return Optional.ofNullable(target.value("SELECT begun_after FROM " + BEGIN))
                .map(GtidSet::parse);
    }

    /** Stores the GTIDs of the stream before the copy. */
    public void begin(GtidSet before, String stream) {
        target.run(
                "CREATE DATABASE IF NOT EXISTS " + SCHEMA + " CHARACTER SET utf8mb4",
                "CREATE TABLE IF NOT EXISTS " + COPYING + " (" + NAMES
                        + ", applies_after BIGINT, PRIMARY KEY (schema_name, table_name)) CHARACTER SET utf8",
                "CREATE TABLE IF NOT EXISTS " + DIRTY + " (" + NAMES
                        + ", PRIMARY KEY (schema_name, table_name)) CHARACTER SET utf8",
                "CREATE TABLE IF NOT EXISTS " + BEGIN
                        + " (id INT PRIMARY KEY, stream VARCHAR(64) NOT NULL, begun_after LONGTEXT NOT NULL)",
                "REPLACE INTO " + BEGIN + " VALUES (1, " + SqlNames.literal(stream) + ", "
                        + SqlNames.literal(before.line()) + ")");
    }

    /** Refuses progress of another stream. */
    public void requireStream(String stream) {
        String found = target.value("SELECT stream FROM " + BEGIN);
        if (!stream.equals(found)) {
            throw target.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected the progress of a seed from the stream " + stream + ", found that of " + found
                            + " | empty the server, then begin again");
        }
    }

    /**
     * The tables that are being copied, with the number of the transaction after which their events apply; {@link #OVERWRITING} for
     * tables that are copied chunk by chunk; empty for a table that is copied from a snapshot, and whose copy is not complete.
     */
    public Map<TableName, OptionalLong> copying() {
        Map<TableName, OptionalLong> copying = new LinkedHashMap<>();
        for (QueryResult.Row row : rows("SELECT schema_name, table_name, applies_after FROM " + COPYING)) {
            String after = row.text(2);
            copying.put(
                    new TableName(row.text(0), row.text(1)),
                    after == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(after)));
        }
        return copying;
    }

    /** Stores that a table is being copied, and the transaction after which its events apply; see {@link #copying}. */
    public void copying(TableName table, OptionalLong appliesAfter) {
        target.run("REPLACE INTO " + COPYING + " VALUES (" + literals(table) + ", "
                + (appliesAfter.isPresent() ? Long.toString(appliesAfter.getAsLong()) : "NULL") + ")");
    }

    /** Stores that no table is being copied: all are as of the target's gtid_executed. */
    public void copied() {
        target.run("DELETE FROM " + COPYING);
    }

    /** Stores that tables must be dropped and copied again, before they are dropped. */
    public void dirty(Set<TableName> tables) {
        tables.forEach(table -> target.run("REPLACE INTO " + DIRTY + " VALUES (" + literals(table) + ")"));
    }

    /** The tables that must be dropped and copied again. */
    public Set<TableName> dirty() {
        Set<TableName> dirty = new LinkedHashSet<>();
        rows("SELECT schema_name, table_name FROM " + DIRTY)
                .forEach(row -> dirty.add(new TableName(row.text(0), row.text(1))));
        return dirty;
    }

    /** Stores that a dirty table was dropped. */
    public void dropped(TableName table) {
        String where = " WHERE (schema_name, table_name) = (" + literals(table) + ")";
        target.run("DELETE FROM " + COPYING + where, "DELETE FROM " + DIRTY + where);
    }

    private static String literals(TableName table) {
        return SqlNames.literal(table.schema()) + ", " + SqlNames.literal(table.table());
    }

    private List<QueryResult.Row> rows(String sql) {
        try {
            return target.query(sql).rows();
        } catch (MysqlServerError e) {
            throw target.failed(sql, e);
        }
    }

    /** Removes all progress. */
    public void remove() {
        target.run("SET SESSION sql_log_bin = 0", "DROP DATABASE IF EXISTS " + SCHEMA);
    }
}
