package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of MySQL's own programs with users that an operator has created, over TLS only: they can do what their rights allow, and nothing else. */
class ReaderAccessIT {
    private static final String PASSWORD = "söcret of 25 characters";

    private LocalCluster cluster;
    private Path certificate;

    @Test
    void usersAreAddedAndChangedWhileTheNodeRunsAndHaveTheirRights(@TempDir Path folder) throws Exception {
        try (LocalCluster started = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1")),
                config -> config.withOwnCertificate()
                        .remove("serve.password")
                        .set("serve.tls.required", "true")
                        .set("serve.schema.user", "schema_reader")
                        .set("serve.schema.password", "schema-secret"))) {
            cluster = started;
            new MysqlUser("schema_reader", "schema-secret", MysqlUser.CACHING_SHA2)
                    .create(cluster.shards().get(0), "SELECT ON *.*");
            certificate = cluster.binlogFolder().resolve("serve").resolve("server-cert.pem");
            cluster.node().start();
            user(PASSWORD, "add", "replica", "--network", "127.0.0.0/8", "--connections", "2");
            user(PASSWORD, "add", "watcher", "--rights", "monitor");
            user(PASSWORD, "add", "far", "--network", "10.0.0.0/8");
            cluster.shards().get(0).execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY)");
            cluster.shards().get(0).execute("INSERT INTO shop.t VALUES (1), (2)");

            MysqlReplica replica = cluster.newReplica("replica", 2);
            attach(replica, PASSWORD);
            cluster.awaitAllWritten(Invariants.LIMIT);
            replica.awaitGtids(cluster.gtidExecuted(), Invariants.LIMIT);

            MysqlTools.Outcome copied = MysqlTools.run(mysqlbinlog("replica", PASSWORD));
            assertEquals(0, copied.status(), copied.output());
            assertTrue(copied.output().contains("CREATE TABLE shop.t"), copied.output());
            refused(mysqlbinlog("watcher", PASSWORD), "you need (at least one of) the REPLICATION privilege(s)");
            refused(mysqlbinlog("far", PASSWORD), "Access denied for user 'far'@'127.0.0.1'");
            refused(mysqlbinlog("replica", "wrong"), "Access denied for user 'replica'@'127.0.0.1'");
            List<String> plain = new ArrayList<>(mysqlbinlog("replica", PASSWORD));
            plain.replaceAll(option -> option.startsWith("--ssl-mode") ? "--ssl-mode=DISABLED" : option);
            refused(plain, "Connections using insecure transport are prohibited");
            assertTrue(statement("watcher", "SHOW PROCESSLIST").output().contains("Binlog Dump GTID"));
            assertTrue(statement("replica", "SHOW PROCESSLIST").output().contains("ERROR 1227"));

            filteredUsersSeeNothingElse();

            user("another one", "passwd", "replica");
            refused(mysqlbinlog("replica", PASSWORD), "Access denied for user 'replica'@'127.0.0.1'");
            replica.stop();
            replica.start();
            Await.until(
                    "the replica to be refused",
                    Invariants.LIMIT,
                    () -> replica.error().contains("Access denied for user"));
            replica.stop();
            attach(replica, "another one");
            cluster.shards().get(0).execute("INSERT INTO shop.t VALUES (3)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            replica.awaitGtids(cluster.gtidExecuted(), Invariants.LIMIT);
        }
    }

    /** Checks a real replica, mysqlbinlog and mysql with a user of some tables; the user gets more tables while the replica reads. */
    private void filteredUsersSeeNothingElse() throws Exception {
        user(PASSWORD, "add", "some", "--tables", "shop.t, shop.t2");
        MysqlServer shard = cluster.shards().get(0);
        shard.execute("CREATE TABLE shop.secret (id INT PRIMARY KEY, hidden VARCHAR(20))");
        shard.execute(
                "BEGIN",
                "INSERT INTO shop.secret VALUES (1, 'classified')",
                "INSERT INTO shop.t VALUES (10)",
                "COMMIT");
        shard.execute("INSERT INTO shop.secret VALUES (2, 'classified')");
        MysqlReplica replica = cluster.newReplica("some", 4);
        attach(replica, "some", PASSWORD);
        cluster.awaitAllWritten(Invariants.LIMIT);
        replica.awaitGtids(cluster.gtidExecuted(), Invariants.LIMIT);
        assertEquals(
                "t",
                replica.server()
                        .text(
                                "SELECT GROUP_CONCAT(TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop'"));
        assertEquals("1,2,10", replica.server().text("SELECT GROUP_CONCAT(id ORDER BY id) FROM shop.t"));
        MysqlTools.Outcome copied = MysqlTools.run(mysqlbinlog("some", PASSWORD));
        assertEquals(0, copied.status(), copied.output());
        assertTrue(copied.output().contains("shop.t") || copied.output().contains("`shop`.`t`"), copied.output());
        for (String query : List.of(
                "SHOW BINLOG EVENTS",
                "SHOW TABLES FROM shop",
                "SHOW DATABASES",
                "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS")) {
            MysqlTools.Outcome answer = statement("some", query);
            assertEquals(0, answer.status(), answer.output());
            assertTrue(!answer.output().contains("secret") && !answer.output().contains("hidden"), answer.output());
        }
        assertTrue(statement("some", "SHOW CREATE TABLE shop.t").output().contains("CREATE TABLE"));
        assertTrue(statement("some", "SHOW CREATE TABLE shop.secret").output().contains("ERROR 1146"));
        assertTrue(!copied.output().contains("secret") && !copied.output().contains("classified"), copied.output());

        user("", "set", "some", "--tables", "shop.t, shop.t2, shop.t3");
        Await.until(
                "the filtered dump to end",
                Invariants.LIMIT,
                () -> Files.readString(cluster.node().log()).contains("its user may read other tables than before"));
        shard.execute("CREATE TABLE shop.t3 (id INT PRIMARY KEY)", "INSERT INTO shop.t3 VALUES (7)");
        cluster.awaitAllWritten(Invariants.LIMIT);
        replica.awaitGtids(cluster.gtidExecuted(), Invariants.LIMIT);
        assertEquals("7", replica.server().text("SELECT GROUP_CONCAT(id) FROM shop.t3"));
        replica.stop();
        namesOfHiddenTablesAreNotShown();
    }

    /** Checks foreign keys and views, which contain names of other tables too. */
    private void namesOfHiddenTablesAreNotShown() throws Exception {
        cluster.shards()
                .get(0)
                .execute(
                        "CREATE TABLE shop.t2 (id INT PRIMARY KEY, a INT, b INT,"
                                + " CONSTRAINT open_key FOREIGN KEY (a) REFERENCES shop.t (id),"
                                + " CONSTRAINT closed_key FOREIGN KEY (b) REFERENCES shop.secret (id))",
                        "CREATE VIEW shop.t4 AS SELECT hidden FROM shop.secret");
        user("", "set", "some", "--tables", "shop.t, shop.t2, shop.t3, shop.t4");
        String views = "SELECT * FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'shop'";
        Await.until(
                "the view to be shown",
                Invariants.LIMIT,
                () -> statement("some", views).output().contains("t4"));
        String keys = "SELECT CONSTRAINT_NAME, REFERENCED_TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE"
                + " WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = 't2'";
        String shown = statement("some", keys).output();
        assertTrue(shown.contains("open_key") && shown.contains("PRIMARY"), shown);
        assertTrue(!shown.contains("closed_key") && !shown.contains("secret"), shown);
        assertTrue(!statement("some", views).output().contains("secret"), "the text of a view");
        String create = statement("some", "SHOW CREATE TABLE shop.t2").output();
        assertTrue(create.contains("open_key") && !create.contains("secret"), create);
        String all = statement("replica", keys).output();
        assertTrue(all.contains("closed_key"), all);
    }

    /** Attaches as a MySQL 9.x replica does by default: with TLS, and here with a check of the certificate too. */
    private void attach(MysqlReplica replica, String password) throws SQLException {
        attach(replica, "replica", password);
    }

    private void attach(MysqlReplica replica, String user, String password) throws SQLException {
        replica.server()
                .execute(
                        "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=" + cluster.servePort()
                                + ", SOURCE_USER='" + user + "', SOURCE_PASSWORD='" + password
                                + "', SOURCE_SSL=1, SOURCE_SSL_CA='"
                                + certificate + "', SOURCE_SSL_VERIFY_SERVER_CERT=1, SOURCE_CONNECT_RETRY=1,"
                                + " SOURCE_AUTO_POSITION=1",
                        "START REPLICA");
    }

    private List<String> mysqlbinlog(String user, String password) {
        return withTls(MysqlTools.cached()
                .remoteBinlog(cluster.servePort(), user, password, "--base64-output=DECODE-ROWS", "binlog.000001"));
    }

    private MysqlTools.Outcome statement(String user, String sql) {
        return MysqlTools.run(withTls(List.of(
                MysqlTools.cached().mysql().toString(),
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + cluster.servePort(),
                "--user=" + user,
                "--password=" + PASSWORD,
                "--execute=" + sql)));
    }

    private List<String> withTls(List<String> command) {
        List<String> secure = new ArrayList<>(command);
        secure.addAll(2, List.of("--ssl-mode=VERIFY_CA", "--ssl-ca=" + certificate));
        return secure;
    }

    private static void refused(List<String> command, String message) {
        MysqlTools.Outcome outcome = MysqlTools.run(command);
        assertNotEquals(0, outcome.status(), outcome.output());
        assertTrue(outcome.output().contains(message), outcome.output());
    }

    private void user(String password, String... arguments) throws IOException, InterruptedException {
        new UserCommand(cluster.node()).run(password, arguments);
    }
}
