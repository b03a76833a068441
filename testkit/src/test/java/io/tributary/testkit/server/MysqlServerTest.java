package io.tributary.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers start, survive a kill with their data, replicate, and leave no files. */
class MysqlServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void keepsDataPortAndUuidAfterAKill() throws Exception {
        try (MysqlServer server = MysqlServer.start("kill")) {
            server.execute("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)", "INSERT INTO d.t VALUES (7)");
            String uuid = server.uuid();
            int port = server.port();
            assertEquals(uuid + ":1-3", server.gtidExecuted());

            server.kill9();
            assertFalse(server.isRunning());
            server.restart();

            assertEquals("7", server.text("SELECT id FROM d.t"));
            assertEquals(uuid, server.uuid());
            assertEquals(port, server.port());
            server.stop();
            assertEquals(2, server.binlogFiles().size());
        }
    }

    @Test
    void replicatesByGtidAndByPositionAndReportsWhyItStopped() throws Exception {
        try (MysqlServers servers = MysqlServers.start(List.of(
                MysqlOptions.named("source"), MysqlReplica.options("gtid", 4), MysqlReplica.options("position", 1)))) {
            MysqlServer source = servers.get(0);
            MysqlUser user = new MysqlUser("repl", "pw", MysqlUser.CACHING_SHA2);
            user.create(source, "REPLICATION SLAVE ON *.*");
            assertEquals("", source.gtidExecuted());
            MysqlReplica byGtid = new MysqlReplica(servers.get(1));
            MysqlReplica byPosition = new MysqlReplica(servers.get(2));
            byGtid.attachByGtid(source.host(), source.port(), "repl", "pw");
            byPosition.attachByPosition(source.host(), source.port(), "repl", "pw", "binlog.000001", 4);

            source.execute("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)", "INSERT INTO d.t VALUES (7)");
            byGtid.awaitGtids(source.gtidExecuted(), LIMIT);
            byPosition.awaitGtids(source.gtidExecuted(), LIMIT);
            assertTrue(byGtid.isRunning());
            assertEquals("", byGtid.error());

            byGtid.server().execute("SET GLOBAL super_read_only = 0", "DELETE FROM d.t");
            source.execute("DELETE FROM d.t WHERE id = 7");
            IllegalStateException stopped =
                    assertThrows(IllegalStateException.class, () -> byGtid.awaitGtids(source.gtidExecuted(), LIMIT));
            assertTrue(stopped.getMessage().contains("Delete_rows"), stopped.getMessage());
        }
    }

    @Test
    void leavesNoProcessAndNoFolder() {
        MysqlServer server = MysqlServer.start("gone");
        long pid = server.pid();
        Path folder = server.dataFolder().getParent();
        server.pause();
        server.close();
        assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
        assertFalse(Files.exists(folder));
    }

    @Test
    void usesAnExistingDataFolder(@TempDir Path folder) throws Exception {
        MysqlOptions options = MysqlOptions.named("kept").in(folder).serverId(77);
        try (MysqlServer server = MysqlServer.start(options)) {
            server.execute("CREATE DATABASE kept");
            assertEquals("77", server.text("SELECT @@server_id"));
        }
        try (MysqlServer server = MysqlServer.start(options)) {
            assertEquals("kept", server.text("SHOW DATABASES LIKE 'kept'"));
        }
    }
}
