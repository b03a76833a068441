package io.tributary.sink.snapshot;

import io.tributary.changes.SelectedTable;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.TableDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A server that has all transactions of the stream up to one, and whose applier is stopped. For one thread. */
final class SnapshotServer implements AutoCloseable {
    /** Schemas of the server, and those with the progress of seeds and appliers. */
    private static final Set<String> SYSTEM =
            Set.of("mysql", "sys", "information_schema", "performance_schema", "tributary_seed", "tributary_apply");

    private static final String STATE = "SELECT @@GLOBAL.gtid_executed, (SELECT COUNT(*)"
            + " FROM performance_schema.replication_applier_status WHERE service_state <> 'OFF')";
    private static final String TABLES =
            "SELECT table_schema, table_name FROM information_schema.tables" + " WHERE table_type = 'BASE TABLE'";
    /** A copy that is resumed may have to find the next row without an index. */
    private static final Duration LONGEST_SEARCH = Duration.ofMinutes(30);

    private static final int JSON_SINCE = 80_000;
    private static final int QUEUE_BYTES = 1 << 20;

    private final Peer peer;
    private final SqlSession rows;
    private final SqlSession watch;
    private final ServerDefinitions definitions;
    private GtidSet executed = GtidSet.EMPTY;

    private SnapshotServer(Peer peer, SqlSession rows, SqlSession watch, ServerDefinitions definitions) {
        this.peer = peer;
        this.rows = rows;
        this.watch = watch;
        this.definitions = definitions;
    }

    /** Connects; errors as in {@link SqlSession#open}. */
    static SnapshotServer open(MysqlClient client, Peer peer) {
        Duration longest = peer.timeout().compareTo(LONGEST_SEARCH) > 0 ? peer.timeout() : LONGEST_SEARCH;
        SqlSession rows = SqlSession.open(client, new Peer(peer.role(), peer.name(), peer.endpoint(), longest));
        SqlSession watch = null;
        try {
            watch = SqlSession.open(client, peer);
            return new SnapshotServer(peer, rows, watch, new ServerDefinitions(client, peer));
        } catch (RuntimeException e) {
            rows.close();
            if (watch != null) {
                watch.close();
            }
            throw e;
        }
    }

    /**
     * Checks the server and returns the last transaction that it has.
     *
     * @param sid of the stream
     * @throws TributaryException SINK_SNAPSHOT_UNFIT
     */
    Gtid place(Sid sid) {
        if (rows.isMariadb()) {
            throw unfit("a MySQL server", "MariaDB", "use another server, or copy the tables by other means");
        }
        requireRights();
        executed = state();
        long last = executed.sids().contains(sid) ? executed.last(sid) : 0;
        GtidSet expected = last == 0
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder().addRange(sid, 1, last).build();
        if (last == 0 || !expected.containsAll(executed)) {
            throw unfit(
                    "gtid_executed " + sid + ":1-n, the transactions of the stream only",
                    gtids(executed),
                    "use a server that tributary seed has made from this stream, and that nobody else writes");
        }
        if (!executed.equals(expected)) {
            throw unfit(
                    "gtid_executed without a gap",
                    gtids(executed),
                    "let it apply what is missing: START REPLICA UNTIL SQL_AFTER_MTS_GAPS; then STOP REPLICA SQL_THREAD");
        }
        return new Gtid(sid, last);
    }

    private static String gtids(GtidSet set) {
        return set.isEmpty() ? "no transaction" : set.line();
    }

    /** Without the right on all tables, tables that the account may not read would be left out. */
    private void requireRights() {
        try {
            var unused = watch.query("SELECT 1 FROM mysql.user LIMIT 1");
        } catch (MysqlServerError e) {
            throw refused(e);
        }
    }

    private TributaryException refused(MysqlServerError error) {
        return new TributaryException(
                ErrorCode.SINK_SNAPSHOT_UNFIT,
                peer + ": expected the right to read all tables, found " + error.getMessage()
                        + " | GRANT SELECT ON *.* TO '"
                        + peer.endpoint().credentials().user() + "'",
                error);
    }

    private GtidSet state() {
        QueryResult.Row state;
        try {
            state = watch.query(STATE).rows().get(0);
        } catch (MysqlServerError e) {
            throw refused(e);
        }
        if (!state.text(1).equals("0")) {
            throw unfit(
                    "an applier that is stopped until all rows are sent",
                    "one that runs, so that the rows may change",
                    "STOP REPLICA SQL_THREAD");
        }
        return GtidSet.parse(state.text(0).replace("\n", ""));
    }

    /**
     * Begins to read: all rows that are read from now on are those of the place.
     *
     * @throws TributaryException SINK_SNAPSHOT_UNFIT
     */
    void begin() {
        rows.run(SelectedTable.session().toArray(String[]::new));
        rows.run("SET SESSION max_execution_time = 0", "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
        requireUnchanged();
    }

    /** @throws TributaryException SINK_SNAPSHOT_UNFIT if the server has changed since {@link #place} */
    void requireUnchanged() {
        GtidSet now = state();
        if (!now.equals(executed)) {
            throw unfit(
                    "gtid_executed " + executed.line() + " until all rows are sent",
                    gtids(now),
                    "restore the server to that place; or begin again with another sink.name and new topics");
        }
    }

    /** The error that a part of the rows was sent, and the server is no longer at their place. */
    TributaryException changed(Gtid sent, String found) {
        return unfit(
                "the server at " + sent + ", from which a part of its rows was sent",
                found,
                "restore the server to that place; or begin again with another sink.name and new topics");
    }

    /** Its tables, without those of the system, in the order of their names. */
    List<TableName> tables(Predicate<TableName> wanted) {
        TreeSet<TableName> found = new TreeSet<>(SnapshotCopy.ORDER);
        try {
            for (QueryResult.Row row : watch.query(TABLES).rows()) {
                TableName name = new TableName(row.text(0), row.text(1));
                if (isOfUsers(name) && wanted.test(name)) {
                    found.add(name);
                }
            }
        } catch (MysqlServerError e) {
            throw watch.failed(TABLES, e);
        }
        return List.copyOf(found);
    }

    /** Whether a table belongs to users. */
    static boolean isOfUsers(TableName table) {
        return !SYSTEM.contains(table.schema());
    }

    /** The definition of one of its tables. */
    TableDefinition definition(TableName table, Gtid place) {
        TableDefinition found = definitions
                .after(place, table)
                .orElseThrow(() -> unfit("table " + table, "none", "restore the server to " + place));
        boolean hasJson =
                found.columns().stream().anyMatch(column -> column.type().name().equals("json"));
        String version = rows.connection().serverVersion();
        if (hasJson && ServerVersion.of(version).number() < JSON_SINCE) {
            throw unfit(
                    "MySQL 8.0, because table " + table + " has a JSON column, and 5.7 shows 1.0 in it as 1",
                    version,
                    "seed a server of MySQL 8.0, or leave the table out with sink.tables");
        }
        return found;
    }

    /** The rows of a statement; for one at a time. */
    SnapshotRows select(String statement) {
        return new SnapshotRows(rows, statement, QUEUE_BYTES);
    }

    TributaryException unfit(String expected, String found, String remedy) {
        return new TributaryException(
                ErrorCode.SINK_SNAPSHOT_UNFIT, peer + ": expected " + expected + ", found " + found + " | " + remedy);
    }

    @Override
    public void close() {
        rows.close();
        watch.close();
        definitions.close();
    }
}
