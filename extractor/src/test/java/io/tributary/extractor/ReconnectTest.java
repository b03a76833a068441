package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.TokenKind;
import io.tributary.testkit.Await;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Failures of the connection or the server cause no gap and no repeat; a stream that cannot continue reports why. */
class ReconnectTest {
    private static MysqlServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = MysqlServer.start(MysqlOptions.named("reconnect"));
        MysqlUser.tributary().createForTributary(server);
        server.execute("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(20))");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void readsTheSameWhereverTheConnectionIsCut() throws Exception {
        GtidSet before = ExtractorRig.executed(server);
        server.execute("INSERT INTO d.t VALUES (1, 'a')");
        GtidSet after = ExtractorRig.executed(server);
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            Undisturbed undisturbed = read(proxy, before, after);
            // the transaction's events and some bytes before them
            for (long cut = undisturbed.bytes - 420; cut <= undisturbed.bytes; cut++) {
                proxy.cutAfter(Direction.TO_CLIENT, cut);
                try (ExtractorRig rig = ExtractorRig.after(before, proxy.port())) {
                    List<SeenToken> tokens = rig.readUntil(after);
                    assertEquals(1, tokens.size());
                    assertEquals(undisturbed.token, tokens.get(0).same(), "cut after " + cut + " bytes");
                }
                forget(proxy);
            }
        }
    }

    /**
     * The token of one transaction, and how many bytes the server sends for it.
     *
     * @param bytes the same each time from the second login on
     */
    private record Undisturbed(String token, long bytes) {}

    private static Undisturbed read(TcpProxy proxy, GtidSet before, GtidSet after) {
        Undisturbed last = null;
        for (int i = 0; i < 2; i++) {
            long start = proxy.bytes(Direction.TO_CLIENT);
            try (ExtractorRig rig = ExtractorRig.after(before, proxy.port())) {
                String token = rig.readUntil(after).get(0).same();
                last = new Undisturbed(token, proxy.bytes(Direction.TO_CLIENT) - start);
            }
            forget(proxy);
        }
        return last;
    }

    /** Closes old connections on both sides: on a connection that only the client has closed, the server still reports that it was replaced. */
    private static void forget(TcpProxy proxy) {
        proxy.pass();
        proxy.cut();
        Await.until("closed connections", Duration.ofSeconds(20), () -> proxy.connections() == 0);
    }

    @Test
    void detectsAServerThatSendsNothing() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                ExtractorRig rig = ExtractorRig.after(ExtractorRig.executed(server), proxy.port())) {
            server.execute("INSERT INTO d.t VALUES (2, 'a')");
            rig.readAll(server);
            proxy.halfOpen();
            server.execute("INSERT INTO d.t VALUES (3, 'a')");
            Thread restorer = new Thread(() -> {
                Await.until("a second connection", Duration.ofSeconds(20), () -> proxy.accepted() > 1);
                proxy.pass();
            });
            restorer.start();
            assertEquals(
                    List.of(TokenKind.LOCAL),
                    rig.readAll(server).stream().map(SeenToken::kind).toList());
            restorer.join();
        }
    }

    @Test
    void anEventThatTakesLongerThanTheIdleTimeoutArrivesInOneAttempt() throws Exception {
        server.execute("CREATE TABLE d.large (id INT PRIMARY KEY, v MEDIUMBLOB)");
        try (TcpProxy proxy = TcpProxy.to(server.port());
                ExtractorRig rig = ExtractorRig.after(ExtractorRig.executed(server), proxy.port())) {
            server.execute("INSERT INTO d.t VALUES (5, 'a')");
            rig.readAll(server);
            proxy.throttle(300_000); // the idle timeout is three heartbeats: 2.1 s
            server.execute("INSERT INTO d.large VALUES (1, REPEAT('x', 1000000))");
            assertEquals(
                    List.of(TokenKind.LOCAL),
                    rig.readAll(server).stream().map(SeenToken::kind).toList());
            assertEquals(1, proxy.accepted(), "connections");
        }
    }

    @Test
    void neverAcceptsAFlippedBit() throws Exception {
        GtidSet before = ExtractorRig.executed(server);
        server.execute("INSERT INTO d.t VALUES (4, 'abcdefghij')");
        GtidSet after = ExtractorRig.executed(server);
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            Undisturbed undisturbed = read(proxy, before, after);
            int refused = 0;
            for (int back = 1; back <= 45; back++) {
                proxy.flipAfter(Direction.TO_CLIENT, undisturbed.bytes - back);
                try (ExtractorRig rig = ExtractorRig.after(before, proxy.port())) {
                    assertEquals(
                            undisturbed.token,
                            rig.readUntil(after).get(0).same(),
                            "flipped " + back + " before the end");
                } catch (TributaryException e) {
                    assertEquals(ErrorCode.EVENT_CHECKSUM_WRONG, e.code());
                    assertTrue(e.getMessage().contains("shard s1 at binlog."), e.getMessage());
                    refused++;
                }
                forget(proxy);
            }
            // the other flips damaged a packet's header or an event's length, and the event was read again
            assertTrue(refused > 30, refused + " of 45");
        }
    }

    @Test
    void continuesAfterAKilledShardRestartsWithAPreparedBranch() throws Exception {
        try (MysqlServer shard = MysqlServer.start(MysqlOptions.named("killed"))) {
            MysqlUser.tributary().createForTributary(shard);
            shard.execute("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)");
            try (ExtractorRig rig = ExtractorRig.afterNow(shard)) {
                try (Sql sql = shard.sql()) {
                    sql.execute("XA START 'k'", "INSERT INTO d.t VALUES (1)", "XA END 'k'", "XA PREPARE 'k'");
                }
                SeenToken prepare = rig.readAll(shard).get(0);
                assertEquals(TokenKind.PREPARE, prepare.kind());
                shard.kill9();
                shard.restart();
                shard.execute("XA COMMIT 'k'", "INSERT INTO d.t VALUES (2)");
                List<SeenToken> tokens = rig.readAll(shard);
                assertEquals(
                        List.of(TokenKind.COMMIT, TokenKind.LOCAL),
                        tokens.stream().map(SeenToken::kind).toList());
                assertEquals(prepare.token().xid(), tokens.get(0).token().xid());
            }
        }
    }

    @Test
    void namesThePurgedTransactions() throws Exception {
        try (MysqlServer shard = MysqlServer.start(MysqlOptions.named("purged"))) {
            MysqlUser.tributary().createForTributary(shard);
            shard.execute("CREATE DATABASE d", "CREATE DATABASE e", "FLUSH LOGS");
            shard.execute("PURGE BINARY LOGS TO '" + shard.binlogFiles().get(1).getFileName() + "'");
            GtidSet first = GtidSet.parse(shard.uuid() + ":1");
            try (ExtractorRig rig = ExtractorRig.after(first, shard.port())) {
                TributaryException e = assertThrows(TributaryException.class, () -> rig.readAll(shard));
                assertEquals(ErrorCode.SHARD_POSITION_PURGED, e.code());
                assertTrue(e.getMessage().contains("those of " + shard.uuid() + ":2 were purged"), e.getMessage());
            }
        }
    }

    @Test
    void refusesAWrongPasswordAndAnotherServer() throws Exception {
        ShardConfig right = ExtractorRig.shard(server.port());
        ShardConfig wrong = ShardConfig.of(right.host(), right.port(), right.user(), "not-it");
        GtidSet now = ExtractorRig.executed(server);
        try (ExtractorRig rig = ExtractorRig.of(wrong, ExtractorRig.cut(GtidSet.EMPTY))) {
            TributaryException e = assertThrows(TributaryException.class, () -> rig.readUntil(now));
            assertEquals(ErrorCode.SHARD_LOGIN_REFUSED, e.code());
        }
        GtidSet foreign = GtidSet.parse("00000000-0000-4000-8000-00000000000f:1-7");
        try (ExtractorRig rig = ExtractorRig.of(right, ExtractorRig.cut(foreign))) {
            TributaryException e = assertThrows(TributaryException.class, () -> rig.readUntil(now));
            assertEquals(ErrorCode.SHARD_SAME_SERVER, e.code());
        }
        ShardCut other = ShardCut.unread("s1", "00000000-0000-4000-8000-00000000000f", GtidSet.EMPTY, GtidSet.EMPTY);
        try (ExtractorRig rig = ExtractorRig.of(right, other)) {
            TributaryException e = assertThrows(TributaryException.class, () -> rig.readUntil(now));
            assertEquals(ErrorCode.SHARD_SAME_SERVER, e.code());
        }
    }

    @Test
    void readsAcrossFilesAndDiscardsTableIds() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(server)) {
            server.execute("INSERT INTO d.t VALUES (200, 'a')", "FLUSH LOGS", "INSERT INTO d.t VALUES (201, 'a')");
            List<SeenToken> tokens = rig.readAll(server);
            assertEquals(
                    List.of(TokenKind.LOCAL, TokenKind.LOCAL),
                    tokens.stream().map(SeenToken::kind).toList());
            assertTrue(
                    tokens.get(0).token().file().compareTo(tokens.get(1).token().file()) < 0);
            assertEquals(tokens.get(0).token().tables(), tokens.get(1).token().tables());
        }
    }
}
