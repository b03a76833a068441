package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.value.TableName;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of gh-ost and pt-online-schema-change on one shard after another, while local and distributed transactions write all shards. They are
 * skipped, with the reason, if a tool is not available.
 */
class OnlineToolsIT {
    private static final int SHARDS = 3;
    private static final int WRITERS = 3;
    private static final int ROWS = 100;
    private static final long BETWEEN = 20;
    private static final String COLUMNS =
            "(id INT PRIMARY KEY, v INT NOT NULL, name VARCHAR(20) DEFAULT 'new', dropped DECIMAL(8,2) DEFAULT 1.5,"
                    + " at DATETIME(3) DEFAULT '2024-02-29 12:00:00.125')";

    /** The suffix of the schema whose table gets the same rows by the same transactions, and that no tool changes. */
    private static final String WRITTEN = "_written";

    /** Rows are changed only if both tables have them. */
    private static final RacingWriters.Statements STATEMENTS = new RacingWriters.Statements() {
        @Override
        public String insert(String table, long id) {
            String values = " (id, v) VALUES (" + id + ", 0)";
            return "INSERT INTO " + table + values + "; INSERT INTO " + written(table) + values;
        }

        @Override
        public String update(String table, long id) {
            return "UPDATE " + both(table) + " SET a.v = a.v + 1, b.v = b.v + 1 WHERE id = " + id;
        }

        @Override
        public String delete(String table, long id) {
            return "DELETE a, b FROM " + both(table) + " WHERE id = " + id;
        }

        private static String both(String table) {
            return table + " a JOIN " + written(table) + " b USING (id)";
        }

        private static String written(String table) {
            return table.replace(".t", WRITTEN + ".t");
        }
    };

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(OnlineToolsIT::start);

    private static DdlCluster start(int number) throws SQLException {
        DdlCluster cluster = DdlCluster.start(
                folder.resolve("cluster-" + number), SHARDS, config -> config.set("ddl.warn", "300ms"));
        for (MysqlServer shard : cluster.cluster().shards()) {
            OnlineSchemaChange.createUser(shard);
        }
        return cluster;
    }

    @Test
    void ghOstAddsAndDropsColumns() throws Exception {
        change(
                "gho_columns",
                OnlineTools.ghOst(),
                "ADD COLUMN z VARCHAR(10) NOT NULL DEFAULT 'it''s' AFTER v, DROP COLUMN dropped");
    }

    @Test
    void ghOstWidensAColumnAndCutsOverInTwoSteps() throws Exception {
        change("gho_two", OnlineTools.ghOst("--cut-over=two-step"), "MODIFY COLUMN v BIGINT NOT NULL");
    }

    @Test
    void ghOstRenamesAColumn() throws Exception {
        change(
                "gho_rename",
                OnlineTools.ghOst("--approve-renamed-columns", "--timestamp-old-table"),
                "CHANGE COLUMN name title VARCHAR(40) DEFAULT 'new'");
    }

    @Test
    void ptOnlineSchemaChangeAddsAndDropsColumns() throws Exception {
        change(
                "pt_columns",
                OnlineTools.ptOnlineSchemaChange(),
                "ADD COLUMN z INT NOT NULL DEFAULT 7, DROP COLUMN dropped");
    }

    @Test
    void ptOnlineSchemaChangeWidensAColumn() throws Exception {
        change("pt_widen", OnlineTools.ptOnlineSchemaChange(), "MODIFY COLUMN v BIGINT NOT NULL");
    }

    @Test
    void aNodeThatIsKilledWhileGhOstRunsKnowsItsCopy() throws Exception {
        Path postponed = folder.resolve("postponed");
        OnlineSchemaChange tool = OnlineTools.ghOst("--postpone-cut-over-flag-file=" + postponed);
        cluster().onEach("CREATE DATABASE gho_killed", "CREATE TABLE gho_killed.t " + COLUMNS);
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster().on(shard, "INSERT INTO gho_killed.t (id, v) VALUES (" + shard + ", 0)");
        }
        for (int shard = 1; shard <= SHARDS; shard++) {
            Files.createFile(postponed);
            try (OnlineSchemaChange.Running running = tool.start(
                    cluster().shard(shard), new TableName("gho_killed", "t"), "ADD COLUMN z INT NOT NULL DEFAULT 7")) {
                awaitRow(shard, "gho_killed._t_gho", "z = 7", running);
                cluster().awaitReplicated();
                cluster().killAndRestart();
                cluster().on(shard, "INSERT INTO gho_killed.t (id, v) VALUES (" + (10 + shard) + ", 1)");
                Files.delete(postponed);
                running.await();
            }
            cluster().killAndRestart();
            for (int each = 1; each <= SHARDS; each++) {
                cluster().on(each, "INSERT INTO gho_killed.t (id, v) VALUES (" + (10 * each + 10 + shard) + ", 1)");
            }
        }
        cluster().awaitReplicated();
        cluster().assertUnion("gho_killed");
        cluster().assertOnce("ALTER TABLE GHO_KILLED.T ");
        cluster().awaitNothingListed();
    }

    /**
     * An error of the tool, not of the node (gh-ost issues 1030 and 1142): docs/operations.md describes it, and must be changed when this test
     * fails.
     */
    @Test
    void ghOstKeepsRowsOfABranchThatWasRolledBack() throws Exception {
        Path postponed = folder.resolve("postponed-xa");
        OnlineSchemaChange tool = OnlineTools.ghOst("--postpone-cut-over-flag-file=" + postponed);
        cluster().onEach("CREATE DATABASE gho_xa", "CREATE TABLE gho_xa.t " + COLUMNS);
        cluster().on(1, "INSERT INTO gho_xa.t (id, v) VALUES (1, 0)");
        Files.createFile(postponed);
        try (OnlineSchemaChange.Running running =
                tool.start(cluster().shard(1), new TableName("gho_xa", "t"), "ADD COLUMN z INT NOT NULL DEFAULT 7")) {
            awaitRow(1, "gho_xa._t_gho", "z = 7", running);
            cluster()
                    .on(
                            1,
                            "XA START 'never', 'one'",
                            "INSERT INTO gho_xa.t (id, v) VALUES (100, 1)",
                            "XA END 'never', 'one'",
                            "XA PREPARE 'never', 'one'");
            awaitRow(1, "gho_xa._t_gho", "id = 100", running);
            cluster().on(1, "XA ROLLBACK 'never', 'one'");
            Files.delete(postponed);
            running.await();
        }
        cluster().awaitReplicated();
        String rows = "SELECT GROUP_CONCAT(id ORDER BY id) FROM gho_xa.t";
        assertEquals("1,100", cluster().shard(1).text(rows), "rows of the shard, one of which was rolled back");
        assertEquals("1", cluster().replica().server().text(rows), "rows of the replica");
        cluster().onEach("DROP DATABASE gho_xa");
        cluster().awaitReplicated();
    }

    private static void awaitRow(int shard, String table, String condition, OnlineSchemaChange.Running running) {
        cluster()
                .until(
                        () -> "a row that gh-ost has copied, with " + condition + " to " + table + ": "
                                + printed(running),
                        () -> {
                            try {
                                return !cluster()
                                        .shard(shard)
                                        .text("SELECT COUNT(*) FROM " + table + " WHERE " + condition)
                                        .equals("0");
                            } catch (SQLException notYet) {
                                return false;
                            }
                        });
    }

    private static String printed(OnlineSchemaChange.Running running) {
        try {
            return Files.readString(running.log());
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void change(String schema, OnlineSchemaChange tool, String items) throws Exception {
        String table = schema + ".t";
        cluster()
                .onEach(
                        "CREATE DATABASE " + schema,
                        "CREATE TABLE " + table + " " + COLUMNS,
                        "CREATE DATABASE " + schema + WRITTEN,
                        "CREATE TABLE " + schema + WRITTEN + ".t (id INT PRIMARY KEY, v INT NOT NULL)");
        try (RacingWriters writers = new RacingWriters(cluster().cluster().shards(), WRITERS, STATEMENTS)) {
            for (int shard = 0; shard < SHARDS; shard++) {
                cluster()
                        .on(
                                shard + 1,
                                writers.rowsBefore(shard, ROWS).stream()
                                        .map(id -> STATEMENTS.insert(table, id))
                                        .toArray(String[]::new));
            }
            writers.start(1, List.of(List.of(table), List.of(table), List.of(table)));
            for (int shard = 1; shard <= SHARDS; shard++) {
                writers.awaitMore(BETWEEN);
                tool.run(cluster().shard(shard), new TableName(schema, "t"), items);
                cluster().awaitReplicated(); // while rows of shards that have not run it are written
            }
            writers.awaitMore(BETWEEN);
            writers.stop();
        }
        cluster().awaitReplicated();
        cluster().awaitNothingListed();
        assertRows(schema);
        cluster().assertSameDefinition(schema, "t");
        assertOnlyTheAlter(schema);
    }

    /**
     * Checks that the replica has each row as it was written, except rows that the tool has lost or kept by mistake on their shard: gh-ost copies the
     * rows of a branch of a distributed transaction when it is prepared, also if it is rolled back later.
     */
    private static void assertRows(String schema) throws Exception {
        cluster().assertUnion(schema + WRITTEN);
        Set<String> missed = new TreeSet<>();
        for (MysqlServer shard : cluster().cluster().shards()) {
            missed.addAll(notAsWritten(shard, schema));
        }
        Set<String> wrong = new TreeSet<>(notAsWritten(cluster().replica().server(), schema));
        wrong.removeAll(missed);
        assertEquals(Set.of(), wrong, "keys of rows that differ on the replica from what was written");
        if (missed.isEmpty()) {
            cluster().assertUnion(schema);
        } else {
            System.out.println(schema + ": the tool has missed changes of rows " + missed);
        }
    }

    /** Keys of rows that differ in the table from what was written. */
    private static List<String> notAsWritten(MysqlServer server, String schema) throws SQLException {
        String table = schema + ".t a";
        String written = schema + WRITTEN + ".t b";
        try (Sql sql = server.sql()) {
            return sql
                    .rows("SELECT id FROM " + table + " LEFT JOIN " + written
                            + " USING (id) WHERE b.id IS NULL OR a.v <> b.v UNION SELECT id FROM " + written
                            + " LEFT JOIN " + table + " USING (id) WHERE a.id IS NULL")
                    .stream()
                    .map(row -> row.get("id"))
                    .toList();
        }
    }

    /** Checks that nothing of the tool's own tables and triggers was written, and that its change was written once. */
    private static void assertOnlyTheAlter(String schema) throws Exception {
        String name = schema.toUpperCase(Locale.ROOT);
        List<String> statements = cluster().statements(name + ".");
        assertEquals(2, statements.size(), () -> "CREATE TABLE and ALTER TABLE: " + statements);
        cluster().assertOnce("ALTER TABLE " + name + ".T ");
        List<String> tables = cluster().output().stream()
                .map(BinlogTransaction::changes)
                .flatMap(List::stream)
                .filter(change -> change.schema().equals(schema))
                .map(change -> change.table())
                .distinct()
                .toList();
        assertEquals(List.of("t"), tables, "tables of rows");
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
