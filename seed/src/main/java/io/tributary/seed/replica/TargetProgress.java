package io.tributary.seed.replica;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.sql.SqlNames;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a seed has stored in the target, in the schema {@link #SCHEMA}: the transaction after which the copy began, and the tables that are being
 * copied. Nothing of it is in the target's binlog. The schema is dropped at the end.
 */
public final class TargetProgress {
    /** The schema of the progress. */
    public static final String SCHEMA = TargetWriters.SCHEMA;

    private static final int FIRST_THAT_ADDS = 80000;
    private static final String BEGIN = SCHEMA + ".progress";
    private static final String COPYING = SCHEMA + ".copying";
    private static final String SHARDS = SCHEMA + ".shards";
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
                        + ", applies_after BIGINT, overwrites TINYINT NOT NULL, definition LONGTEXT NOT NULL, PRIMARY KEY (schema_name, table_name)) CHARACTER SET utf8",
                "CREATE TABLE IF NOT EXISTS " + DIRTY + " (" + NAMES
                        + ", PRIMARY KEY (schema_name, table_name)) CHARACTER SET utf8",
                "CREATE TABLE IF NOT EXISTS " + SHARDS
                        + " (shard VARCHAR(64) COLLATE utf8mb4_bin PRIMARY KEY, server VARCHAR(255) NOT NULL)",
                "CREATE TABLE IF NOT EXISTS " + BEGIN
                        + " (id INT PRIMARY KEY, stream VARCHAR(64) NOT NULL, begun_after LONGTEXT NOT NULL)",
                "REPLACE INTO " + BEGIN + " VALUES (1, " + SqlNames.literal(stream) + ", "
                        + SqlNames.literal(before.line()) + ")");
    }

    /**
     * Makes the target's gtid_executed contain the transactions before the copy: their effects are in its rows.
     *
     * @throws io.tributary.common.error.TributaryException TARGET_UNFIT if the server has executed others and cannot add them
     */
    public void purge() {
        GtidSet executed = GtidSet.parse(target.value("SELECT @@GLOBAL.gtid_executed"));
        GtidSet before = begun().orElseThrow().minus(executed);
        if (before.isEmpty()) {
            return;
        }
        boolean adds = ServerVersion.of(target.connection().serverVersion()).number() >= FIRST_THAT_ADDS;
        if (!executed.isEmpty() && !adds) {
            throw target.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected an empty gtid_executed until the replay, found " + executed.line()
                            + " | RESET MASTER, then run the seed again");
        }
        target.run("SET GLOBAL gtid_purged = " + SqlNames.literal((executed.isEmpty() ? "" : "+") + before.line()));
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
     * A table that is being copied.
     *
     * @param after the transaction whose rows the copy contains; later ones are applied. Empty: it is copied from a snapshot that is not complete
     * @param overwrites whether it is copied chunk by chunk, so that later events overwrite
     * @param definition the definition with which it was made on the target
     */
    public record Copying(OptionalLong after, boolean overwrites, String definition) {}

    /** The tables that are being copied. */
    public Map<TableName, Copying> copying() {
        Map<TableName, Copying> copying = new LinkedHashMap<>();
        String sql = "SELECT schema_name, table_name, applies_after, overwrites, definition FROM " + COPYING;
        for (QueryResult.Row row : rows(sql)) {
            String after = row.text(2);
            copying.put(
                    new TableName(row.text(0), row.text(1)),
                    new Copying(
                            after == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(after)),
                            "1".equals(row.text(3)),
                            row.text(4)));
        }
        return copying;
    }

    /** Stores that a table is being copied. */
    public void copying(TableName table, Copying how) {
        target.run("REPLACE INTO " + COPYING + " VALUES (" + literals(table) + ", "
                + (how.after().isPresent() ? Long.toString(how.after().getAsLong()) : "NULL") + ", "
                + (how.overwrites() ? 1 : 0) + ", " + SqlNames.literal(how.definition()) + ")");
    }

    /** By shard name, the identity of the server whose rows were copied; empty before the first copy. */
    public Map<String, String> shards() {
        Map<String, String> shards = new TreeMap<>();
        rows("SELECT shard, server FROM " + SHARDS).forEach(row -> shards.put(row.text(0), row.text(1)));
        return shards;
    }

    /** Stores from which servers rows are copied from now on. */
    public void shards(Map<String, String> identities) {
        identities.forEach((shard, server) -> target.run("REPLACE INTO " + SHARDS + " VALUES ("
                + SqlNames.literal(shard) + ", " + SqlNames.literal(server) + ")"));
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
