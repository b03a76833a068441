package io.tributary.system.ddl;

import io.tributary.binlog.file.JournalEvent;
import io.tributary.common.value.JournalCodec;
import io.tributary.local.LocalCluster;
import io.tributary.mysql.event.EventHeader;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of online schema changes, with the statements that the tools write, on one shard after another: a node that is killed meanwhile knows the
 * copies that are in progress, and an operator may swap the tables back.
 */
class OnlineRestartsIT {
    private static final int SHARDS = 2;
    private static final int CHECKSUM_BYTES = 4;

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(
            number -> DdlCluster.start(folder.resolve("cluster-" + number), SHARDS, config -> config));

    @Test
    void ghOstSwapsTablesWhileTheNodeIsKilled() throws Exception {
        change("gho", OnlineTool.GH_OST, "alter /* gh-ost */", "drop /* gh-ost */ table if exists `gho`.`_t_del`");
    }

    @Test
    void ptOnlineSchemaChangeSwapsTablesWhileTheNodeIsKilled() throws Exception {
        change("pt", OnlineTool.PT_ONLINE_SCHEMA_CHANGE, "CREATE TABLE", "INSERT LOW_PRIORITY");
    }

    /** Kills the node immediately after each statement that begins like this, and between the shards. */
    private static void change(String schema, OnlineTool tool, String... killedAfter) throws Exception {
        create(schema);
        for (int shard = 1; shard <= SHARDS; shard++) {
            for (String statement :
                    tool.statements(schema, "ADD COLUMN c INT NOT NULL DEFAULT 7 AFTER id", 50 * shard)) {
                boolean isSwapped = columns(shard, schema) == 3;
                cluster().on(shard, isSwapped ? statement.replace(".t VALUES", ".t (id, v) VALUES") : statement);
                if (List.of(killedAfter).stream().anyMatch(statement::startsWith)) {
                    cluster().killAndRestart();
                }
            }
            cluster().awaitReplicated();
            for (int each = 1; each <= SHARDS; each++) {
                cluster().on(each, "INSERT INTO " + schema + ".t (id, v) VALUES (" + (10 * shard + each) + ", 1)");
            }
            cluster().killAndRestart();
        }
        cluster().awaitReplicated();
        cluster().assertUnion(schema);
        cluster().assertOnce("ALTER TABLE " + table(schema));
        cluster().awaitNothingListed();
        cluster().assertSameDefinition(schema, "t");
    }

    @Test
    void aSwapInTwoStepsBetweenWhichTheNodeIsKilled() throws Exception {
        create("two");
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster()
                    .on(
                            shard,
                            "CREATE TABLE two._t_gho LIKE two.t",
                            "ALTER TABLE two._t_gho DROP COLUMN v",
                            "ALTER TABLE two._t_gho ADD COLUMN w BIGINT NOT NULL DEFAULT 3");
            cluster().awaitReplicated();
            cluster().killAndRestart();
            cluster()
                    .on(
                            shard,
                            "INSERT INTO two._t_gho (id) SELECT id FROM two.t",
                            "ALTER TABLE two.t RENAME two._t_del");
            cluster().awaitReplicated();
            cluster().killAndRestart();
            cluster()
                    .on(
                            shard,
                            "ALTER TABLE two._t_gho RENAME two.t",
                            "INSERT INTO two.t VALUES (" + 40 * shard + ", 4)");
        }
        cluster().onEach("DROP TABLE two._t_del");
        cluster().awaitReplicated();
        cluster().assertUnion("two");
        cluster().assertOnce("ALTER TABLE " + table("two"), "DROP COLUMN V");
        cluster().assertOnce("ALTER TABLE " + table("two"), "ADD COLUMN W");
        cluster().awaitNothingListed();
    }

    @Test
    void aDroppedCopyIsForgotten() throws Exception {
        create("again");
        cluster()
                .on(
                        1,
                        "CREATE TABLE again._t_gho LIKE again.t",
                        "ALTER TABLE again._t_gho ADD COLUMN wrong INT",
                        "DROP TABLE again._t_gho");
        cluster().awaitReplicated();
        cluster().killAndRestart();
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster()
                    .on(
                            shard,
                            "CREATE TABLE again._t_gho LIKE again.t",
                            "ALTER TABLE again._t_gho ADD COLUMN c INT",
                            "INSERT INTO again._t_gho (id, v) SELECT id, v FROM again.t",
                            "RENAME TABLE again.t TO again._t_del, again._t_gho TO again.t");
        }
        cluster().onEach("DROP TABLE again._t_del");
        cluster().awaitReplicated();
        cluster().assertUnion("again");
        cluster().assertNone("WRONG");
        cluster().assertOnce("ALTER TABLE " + table("again"), "ADD COLUMN C INT");
        cluster().awaitNothingListed();
    }

    @Test
    void tablesThatAreSwappedBackGetTheInverseStatement() throws Exception {
        create("undone");
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster()
                    .on(
                            shard,
                            "CREATE TABLE undone._t_gho LIKE undone.t",
                            "ALTER TABLE undone._t_gho ADD COLUMN c INT, MODIFY v BIGINT",
                            "INSERT INTO undone._t_gho (id, v) SELECT id, v FROM undone.t",
                            "RENAME TABLE undone.t TO undone._t_del, undone._t_gho TO undone.t");
        }
        cluster().awaitReplicated();
        cluster().mark();
        cluster().killAndRestart();
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster()
                    .on(
                            shard,
                            "INSERT INTO undone._t_del SELECT id, v FROM undone.t ON DUPLICATE KEY UPDATE v = undone.t.v",
                            "RENAME TABLE undone.t TO undone._t_gho, undone._t_del TO undone.t",
                            "INSERT INTO undone.t VALUES (" + 40 * shard + ", 4)");
            cluster().awaitReplicated();
            cluster().on(2, "INSERT INTO undone.t (id, v) VALUES (" + (60 + shard) + ", 5)");
        }
        cluster().onEach("DROP TABLE undone._t_gho");
        cluster().awaitReplicated();
        cluster().assertUnion("undone");
        cluster().assertOnce("ALTER TABLE " + table("undone"));
        cluster().assertOnce("ALTER TABLE " + table("undone"), "DROP COLUMN C", "MODIFY COLUMN V INT");
        cluster().awaitNothingListed();
        cluster().assertSameDefinition("undone", "t");
    }

    @Test
    void aCopyThatWasCreatedBeforeTheStreamIsComparedByDefinition() throws Exception {
        LocalCluster processes = LocalCluster.withShards(
                folder.resolve("later"),
                DdlCluster.options(SHARDS),
                config -> DdlCluster.members(config)
                        .set("shard.s1.start", "latest")
                        .set("shard.s2.start", "latest"));
        try (processes) {
            String table = "CREATE TABLE shop.t (id INT PRIMARY KEY, v INT)";
            for (MysqlServer shard : processes.shards()) {
                shard.execute(
                        "CREATE DATABASE shop",
                        table,
                        "CREATE TABLE shop._t_gho LIKE shop.t",
                        "ALTER TABLE shop._t_gho ADD COLUMN c INT NOT NULL DEFAULT 7 AFTER id, ADD INDEX (v)");
            }
            MysqlReplica replica = processes.newReplica("replica", 4);
            replica.server().execute("SET sql_log_bin = 0", "CREATE DATABASE shop", table);
            processes.node().start();
            DdlCluster cluster = new DdlCluster(processes, processes.attachByGtid(replica));
            cluster.on(1, "INSERT INTO shop.t VALUES (1, 0)");
            cluster.awaitReplicated();
            for (int shard = 1; shard <= SHARDS; shard++) {
                awaitInJournal(cluster, processes, "h\0s" + shard + "\0shop\0_t_gho");
            }
            cluster.killAndRestart();
            for (int shard = 1; shard <= SHARDS; shard++) {
                cluster.on(
                        shard,
                        "INSERT INTO shop._t_gho (id, v) SELECT id, v FROM shop.t",
                        "RENAME TABLE shop.t TO shop._t_del, shop._t_gho TO shop.t",
                        "DROP TABLE shop._t_del",
                        "INSERT INTO shop.t VALUES (" + (10 + shard) + ", 3, 0)");
                cluster.awaitReplicated();
                cluster.on(2, "INSERT INTO shop.t (id, v) VALUES (" + (20 + shard) + ", 0)");
            }
            cluster.awaitReplicated();
            cluster.assertOnce("ALTER TABLE SHOP.T ");
            cluster.assertUnion("shop");
            cluster.awaitNothingListed();
            cluster.assertSameDefinition("shop", "t");
        }
    }

    /**
     * Waits until the journal contains the key. The copy is known when the list of its shard has been read, and is kept over a kill of the node
     * when a cut contains it; each transaction causes the next cut.
     */
    private static void awaitInJournal(DdlCluster cluster, LocalCluster processes, String key) {
        Path first = processes.binlogFolder().resolve("binlog.000001");
        Await.until(() -> key + " in the journal; " + processes.lastLines(), DdlCluster.LIMIT, () -> {
            cluster.on(1, "UPDATE shop.t SET v = v + 1");
            return keysOfJournal(first).contains(key);
        });
    }

    /** The keys that the journal records of a file set; records may be compressed, so that the file need not contain the bytes of a key. */
    private static Set<String> keysOfJournal(Path file) throws IOException {
        ByteBuffer view = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        Set<String> keys = new HashSet<>();
        int at = EventHeader.FILE_MAGIC_LENGTH;
        while (view.limit() - at >= EventHeader.LENGTH && EventHeader.end(view, at) <= view.limit()) {
            int next = EventHeader.end(view, at);
            if (JournalEvent.isJournal(view, at, next)) {
                ByteBuffer record = JournalEvent.record(view, at, next - CHECKSUM_BYTES);
                JournalCodec.decode(record).puts().forEach(put -> keys.add(put.key()));
            }
            at = next;
        }
        return keys;
    }

    private static void create(String schema) throws Exception {
        cluster().onEach("CREATE DATABASE " + schema, "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY, v INT)");
        for (int shard = 1; shard <= SHARDS; shard++) {
            cluster().on(shard, "INSERT INTO " + schema + ".t VALUES (" + shard + ", 1)");
        }
    }

    private static String table(String schema) {
        return schema.toUpperCase(Locale.ROOT) + ".T";
    }

    private static int columns(int shard, String schema) throws Exception {
        return Integer.parseInt(cluster()
                .shard(shard)
                .text("SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = '" + schema
                        + "' AND table_name = 't'"));
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
