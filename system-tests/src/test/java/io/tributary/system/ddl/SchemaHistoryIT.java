package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of tools that read schemas while an ALTER has run only on some shards: they get the schemas of the rows that they will read. */
class SchemaHistoryIT {
    private static final int SHARDS = 2;
    private static final String QUERY =
            "SELECT COLUMN_NAME, ORDINAL_POSITION, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT,"
                    + " COLUMN_KEY, EXTRA, COLLATION_NAME, CHARACTER_MAXIMUM_LENGTH FROM information_schema.COLUMNS"
                    + " WHERE TABLE_SCHEMA = '%s' AND TABLE_NAME = 't' ORDER BY ORDINAL_POSITION";

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number -> {
        DdlCluster cluster = DdlCluster.start(
                folder.resolve("cluster-" + number),
                SHARDS,
                config ->
                        config.set("serve.schema.user", "schema_reader").set("serve.schema.password", "schema-secret"));
        cluster.onEach(
                "CREATE USER schema_reader@'%' IDENTIFIED BY 'schema-secret'",
                "GRANT SELECT, SHOW VIEW ON *.* TO schema_reader@'%'");
        return cluster;
    });

    private static DdlCluster cluster() {
        return SHARED.get();
    }

    private static Sql tool() throws SQLException {
        return Sql.open(cluster().cluster().servePort(), LocalCluster.READER.name(), LocalCluster.READER.password());
    }

    /** Checks that a tool gets the definitions of the replica that has applied all of the binlog. */
    private static void assertAsReplica(String schema) throws SQLException {
        MysqlServer replica = cluster().replica().server();
        try (Sql tool = tool();
                Sql onReplica = replica.sql()) {
            assertEquals(onReplica.rows(QUERY.formatted(schema)), tool.rows(QUERY.formatted(schema)));
            String show = "SHOW COLUMNS FROM " + schema + ".t";
            assertEquals(onReplica.rows(show), tool.rows(show));
            assertEquals(
                    names(onReplica, "SHOW INDEX FROM " + schema + ".t"),
                    names(tool, "SHOW INDEX FROM " + schema + ".t"));
            String definition = created(tool, schema);
            for (Map<String, String> column : onReplica.rows(show)) {
                assertTrue(definition.contains("`" + column.get("Field") + "` "), definition);
            }
        }
    }

    private static List<String> names(Sql sql, String query) throws SQLException {
        return sql.rows(query).stream()
                .map(row -> row.get("Key_name") + " " + row.get("Seq_in_index") + " " + row.get("Column_name"))
                .toList();
    }

    private static String created(Sql sql, String schema) throws SQLException {
        return sql.rows("SHOW CREATE TABLE " + schema + ".t").get(0).get("Create Table");
    }

    private static String definition(String schema, String at) throws SQLException {
        try (Sql tool = tool()) {
            List<Map<String, String>> rows = tool.rows("SHOW TRIBUTARY SCHEMA" + at + " LIKE '" + schema + ".t'");
            return rows.isEmpty() ? "" : rows.get(0).get("Create_table");
        }
    }

    private static String at() {
        return " AT GTID '" + cluster().cluster().gtidExecuted() + "'";
    }

    @Test
    void whileAnAlterHasRunOnOneShardToolsGetTheDefinitionOfTheBinlog() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE half",
                        "CREATE TABLE half.t (id INT PRIMARY KEY, a VARCHAR(20) DEFAULT 'x', b DECIMAL(8,2), KEY k (a))"
                                + " COMMENT 'kept'");
        cluster().awaitReplicated();
        String before = at();
        assertAsReplica("half");
        try (Sql tool = tool()) { // no statement is pending: the text of the shard
            assertTrue(created(tool, "half").contains("COMMENT='kept'"), created(tool, "half"));
        }

        cluster().on(2, "ALTER TABLE half.t ADD COLUMN z INT NOT NULL DEFAULT 7 AFTER id, ADD INDEX n (b, z)");
        cluster().awaitReplicated();
        assertAsReplica("half"); // the queried first shard has no such column
        assertFalse(cluster()
                .shard(1)
                .sql()
                .rows("SHOW COLUMNS FROM half.t")
                .toString()
                .contains("Field=z"));
        assertTrue(definition("half", "").contains("`z` int"), definition("half", ""));
        assertFalse(definition("half", before).contains("`z` int"), definition("half", before));
        assertTrue(definition("half", at()).contains("`z` int"));

        cluster().on(1, "ALTER TABLE half.t ADD COLUMN z INT NOT NULL DEFAULT 7 AFTER id, ADD INDEX n (b, z)");
        cluster().awaitReplicated();
        cluster().awaitNothingListed();
        assertAsReplica("half");
        cluster().onEach("ALTER TABLE half.t DROP COLUMN a");
        cluster().awaitReplicated();
        assertAsReplica("half");
        assertTrue(definition("half", before).contains("`a` varchar(20)"));
        assertFalse(definition("half", "").contains("`a` varchar(20)"));
    }

    @Test
    void aTableThatTheShardHasDroppedIsShownUntilTheBinlogDropsIt() throws Exception {
        cluster().onEach("CREATE DATABASE gone", "CREATE TABLE gone.t (id INT PRIMARY KEY, a INT)");
        cluster().awaitReplicated();
        cluster().on(1, "DROP TABLE gone.t");
        cluster().awaitWaiting("DROP TABLE");
        try (Sql tool = tool()) {
            assertEquals("t", tool.text("SHOW TABLES FROM gone"));
            assertEquals(
                    "t", tool.text("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'gone'"));
            assertEquals(
                    2,
                    tool.rows("SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'gone'")
                            .size());
            assertTrue(created(tool, "gone").contains("`a` int"));
        }
        cluster().on(2, "DROP TABLE gone.t");
        cluster().awaitReplicated();
        try (Sql tool = tool()) {
            assertEquals(0, tool.rows("SHOW TABLES FROM gone").size());
            assertThrows(SQLException.class, () -> created(tool, "gone"));
        }
    }
}
