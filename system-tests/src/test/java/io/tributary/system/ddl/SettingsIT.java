package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of changes of a shard's binlog settings while it is read: nothing stops; rows that cannot be written hold only this shard, with a message
 * that contains the statement to run.
 */
class SettingsIT {
    private static final int SHARDS = 2;
    private static final int WRITERS = 2;
    private static final long BETWEEN = 20;

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number ->
            DdlCluster.start(folder.resolve("cluster-" + number), SHARDS, config -> config.set("ddl.warn", "300ms")));

    @Test
    void rowsWithAndWithoutColumnNamesAreWrittenTogether() throws Exception {
        String table = "metadata.t";
        cluster()
                .onEach(
                        "CREATE DATABASE metadata",
                        "CREATE TABLE " + table + " (id INT PRIMARY KEY, v INT, e ENUM('x','y') DEFAULT 'y',"
                                + " s VARCHAR(10) DEFAULT 'ä', u INT UNSIGNED DEFAULT 4000000000)");
        try (RacingWriters writers = new RacingWriters(cluster().cluster().shards(), WRITERS)) {
            writers.start(1, List.of(List.of(table), List.of(table)));
            String[] items = {
                "ADD COLUMN first_one INT DEFAULT 7 FIRST", "MODIFY COLUMN e ENUM('w','x','y') DEFAULT 'y'",
                "DROP COLUMN s", "CHANGE COLUMN u big BIGINT"
            };
            for (int step = 0; step < items.length; step++) { // steps 0 and 1 set MINIMAL, 2 and 3 FULL
                int leading = step % 2 + 1;
                writers.awaitMore(BETWEEN);
                cluster().on(leading, "SET GLOBAL binlog_row_metadata = " + (step < 2 ? "MINIMAL" : "FULL"));
                writers.awaitMore(BETWEEN);
                cluster().awaitReplicated();
                cluster().on(leading, "ALTER TABLE " + table + " " + items[step]);
                writers.awaitMore(BETWEEN);
                cluster().awaitReplicated();
                cluster().on(3 - leading, "ALTER TABLE " + table + " " + items[step]);
            }
            writers.awaitMore(BETWEEN);
            writers.stop();
        }
        cluster().awaitReplicated();
        cluster().awaitNothingListed();
        cluster().assertUnion("metadata");
        cluster().assertSameDefinition("metadata", "t");
    }

    @Test
    void rowsThatLackColumnsHoldTheirShardWithTheStatementThatCorrectsIt() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE image",
                        "CREATE TABLE image.t (id INT PRIMARY KEY, v INT, b BLOB)",
                        "INSERT INTO image.t VALUES (@@server_id, 0, 'b')");
        cluster().awaitReplicated();
        for (String image : List.of("MINIMAL", "NOBLOB")) {
            cluster().on(1, "SET GLOBAL binlog_row_image = " + image);
            reconnectTributary();
            cluster().on(1, "UPDATE image.t SET v = v + 1");
            DdlStatement held = cluster().awaitHeld("s1", "SHARD_UNFIT");
            assertTrue(held.message().contains("SET GLOBAL binlog_row_image = FULL"), held::message);
            assertTrue(held.message().contains("image.t"), held::message);
            cluster().on(2, "INSERT INTO image.t VALUES (-" + image.length() + ", 0, 'other')");
            cluster().awaitReplica("1", "SELECT COUNT(*) FROM image.t WHERE id = -" + image.length());
            cluster().on(1, "SET GLOBAL binlog_row_image = FULL");
            reconnectTributary();
            cluster().commands().assertDone("ddl", "skip", held.id());
            cluster()
                    .replica()
                    .server()
                    .execute(
                            "SET sql_log_bin = 0",
                            "UPDATE image.t SET v = v + 1 WHERE id = "
                                    + cluster().shard(1).serverId());
            cluster().on(1, "UPDATE image.t SET v = v + 1");
            cluster().awaitReplicated();
            cluster().assertUnion("image");
        }
        cluster().awaitNothingListed();
        assertEquals(
                "0",
                cluster()
                        .node()
                        .fact("ddl.held")
                        .map(text -> text.isEmpty() ? "0" : text)
                        .orElse("0"));
    }

    /** Ends all sessions of the node on the first shard: its new sessions have the new setting. */
    private static void reconnectTributary() throws Exception {
        try (Sql sql = cluster().shard(1).sql()) {
            for (Map<String, String> session : sql.rows("SELECT id FROM information_schema.processlist WHERE user = '"
                    + MysqlUser.tributary().name() + "'")) {
                sql.execute("KILL " + session.values().iterator().next());
            }
        }
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
