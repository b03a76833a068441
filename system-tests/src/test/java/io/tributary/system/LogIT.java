package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.MixedWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code tributary log}: what it shows of rows of all types, and that its statements undo a load. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LogIT {
    private static final List<String> SCHEMAS = List.of(MixedWorkload.SCHEMA, "shop");

    private LocalCluster cluster;
    private CommandRun commands;
    private Path folder;
    private MysqlReplica replica;
    private Map<String, TableChecksum> before;
    private Sid sid;
    private long first;
    private long last;

    @BeforeAll
    void runALoad(@TempDir Path temporary) throws Exception {
        folder = temporary;
        cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("binlog.file.size", "2MiB"));
        commands = new CommandRun(cluster.node(), folder);
        cluster.node().start();
        replica = cluster.attachByGtid(cluster.newReplica("copy", 4));
        MixedWorkload mixed = new MixedWorkload(cluster.shards(), 18, 24, 4, false);
        mixed.prepare();
        for (MysqlServer shard : cluster.shards()) {
            shard.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.t (id INT PRIMARY KEY, name VARCHAR(20), price DECIMAL(8,2),"
                            + " twice DECIMAL(9,2) AS (price * 2), changed TIMESTAMP(3) NULL ON UPDATE CURRENT_TIMESTAMP(3))",
                    "CREATE TABLE shop.keyless (name VARCHAR(20), weight FLOAT, data VARBINARY(9))");
        }
        cluster.shards()
                .get(0)
                .execute(
                        "INSERT INTO shop.keyless VALUES ('a', 1.1, X'00'), ('A', 1.1, X'00'), ('a', 1.1, X'00'), (NULL, 2.5, NULL)");
        mixed.run(600);
        first = executed() + 1;
        replica.awaitGtids(cluster.gtidExecuted(), Duration.ofSeconds(60));
        before = TableChecksum.of(replica.server(), SCHEMAS);
        mixed.run(1200);
        cluster.shards()
                .get(0)
                .execute(
                        "INSERT INTO shop.t (id, name, price) VALUES (17, 'it''s\\na \\\\ name', 1.50)",
                        "UPDATE shop.t SET price = 2.25 WHERE id = 17",
                        "INSERT INTO shop.keyless VALUES ('a', 1.1, X'00'), ('b', 7, X'FF00')",
                        "UPDATE shop.keyless SET weight = 3.3 WHERE BINARY name = 'A'",
                        "DELETE FROM shop.keyless WHERE weight = 2.5",
                        "DELETE FROM shop.t WHERE id = 17");
        last = executed();
        replica.awaitGtids(cluster.gtidExecuted(), Duration.ofSeconds(60));
    }

    private long executed() throws Exception {
        cluster.awaitAllWritten(Invariants.LIMIT);
        GtidSet executed = GtidSet.parse(cluster.gtidExecuted());
        sid = executed.sids().get(0);
        return executed.last(sid);
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void theChangesOfARowAreShownWithTheirValues() throws Exception {
        CommandRun.Printed text = commands.run("log", "--table", "shop.t", "--key", "17");
        assertEquals(0, text.status(), text.err());
        assertTrue(
                text.out()
                        .contains(
                                "INSERT shop.t  id=17, name='it''s\\na \\\\ name', price=1.50, twice=3.00, changed=NULL"),
                text.out());
        assertTrue(text.out().contains("UPDATE shop.t  id=17, price=1.50 -> 2.25, twice=3.00 -> 4.50"), text.out());
        assertTrue(text.out().contains("DELETE shop.t  id=17"), text.out());
        CommandRun.Printed json =
                commands.run("log", "--table", "shop.t", "--key", "17", "--json", "--shards", "-n", "2");
        List<String> lines = json.out().lines().toList();
        assertEquals(2, lines.size(), json.out() + json.err());
        assertTrue(json.err().contains("more than 2"), json.err());
        JsonNode update = new ObjectMapper().readTree(lines.get(1));
        assertEquals("UPDATE", update.get("op").asText());
        assertEquals(17, update.get("key").get("id").asInt());
        assertEquals("1.50", update.get("before").get("price").asText());
        assertEquals("s1", update.get("shards").get(0).asText());
    }

    @Test
    @Order(2)
    void onlySelectedTransactionsAreShown() throws Exception {
        CommandRun.Printed one = commands.run("log", "--gtid", sid + ":" + last);
        assertTrue(one.out().startsWith(sid + ":" + last + "  20"), one.out() + one.err());
        assertEquals(2, one.out().lines().count(), one.out());
        CommandRun.Printed none = commands.run("log", "--since", "2020-01-01", "--until", "2020-01-02");
        assertEquals("", none.out(), none.err());
        CommandRun.Printed other =
                commands.run("log", "--gtid", cluster.shards().get(0).uuid() + ":1");
        assertTrue(other.status() == 1 && other.err().contains("tributary origin"), other.err());
    }

    @Test
    @Order(3)
    void theStatementsOfAFlashbackUndoALoad() throws Exception {
        assertNotEquals(before, TableChecksum.of(replica.server(), SCHEMAS));
        CommandRun.Printed undo = commands.run("log", "--flashback", "--gtid", sid + ":" + first + "-" + last);
        assertEquals(0, undo.status(), undo.err());
        Path file = Files.writeString(folder.resolve("undo.sql"), undo.out());
        replica.stop();
        MysqlTools.Outcome loaded = MysqlTools.cached().load(replica.server(), file);
        assertEquals(0, loaded.status(), loaded.output());
        assertEquals(before, TableChecksum.of(replica.server(), SCHEMAS));
    }

    @Test
    @Order(4)
    void aFlashbackOfASchemaChangeIsRefused() throws Exception {
        CommandRun.Printed refused = commands.run("log", "--flashback", "--gtid", sid + ":1-" + last);
        assertEquals(1, refused.status());
        assertEquals("", refused.out());
        assertTrue(refused.err().contains("CREATE"), refused.err());
        CommandRun.Printed open = commands.run("log", "--flashback");
        assertEquals(2, open.status(), open.err());
    }
}
