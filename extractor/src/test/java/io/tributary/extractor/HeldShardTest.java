package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TokenKind;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator does to a shard that is read holds this shard, and nothing of another history is ever read as if it were the next. */
class HeldShardTest {
    private MysqlServer shard;

    @BeforeEach
    void startShard() throws Exception {
        shard = MysqlServer.start(MysqlOptions.named("held"));
        MysqlUser.tributary().createForTributary(shard);
        shard.execute("CREATE DATABASE d", "CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(200))");
    }

    @AfterEach
    void stopShard() {
        shard.close();
    }

    private void insert(int rows) throws SQLException {
        for (int i = 0; i < rows; i++) {
            shard.execute("INSERT INTO d.t (v) VALUES (REPEAT('x', " + 3 * i + "))");
        }
    }

    @Test
    void aChangedPasswordHoldsTheShardUntilItIsChangedBack() throws Exception {
        MysqlUser user = MysqlUser.tributary();
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.behind(ExtractorRig.executed(shard), proxy.port())) {
            insert(1);
            rig.readAll(shard);
            shard.execute("ALTER USER '" + user.name() + "'@'%' IDENTIFIED BY 'another'");
            proxy.cut();
            assertTrue(rig.readUntilHeld().startsWith("SHARD_LOGIN_REFUSED: shard s1: "), rig.held());
            insert(1);
            shard.execute("ALTER USER '" + user.name() + "'@'%' IDENTIFIED BY '" + user.password() + "'");
            List<TokenKind> kinds =
                    rig.readAll(shard).stream().map(SeenToken::kind).toList();
            assertEquals(1, kinds.stream().filter(TokenKind.LOCAL::equals).count(), kinds.toString());
            assertEquals("", rig.held());
        }
    }

    @Test
    void aResetUnderAnOpenStreamIsFound() throws Exception {
        try (ExtractorRig rig = ExtractorRig.behindNow(shard)) {
            insert(5);
            rig.readAll(shard);
            shard.execute("RESET MASTER");
            insert(1);
            assertTrue(rig.readUntilHeld().startsWith("SHARD_HISTORY_LOST: "), rig.held());
        }
    }

    @Test
    void aResetThatHasGrownPastWhatWasReadIsFoundWhenTheStreamIsOpenedAgain() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.behind(ExtractorRig.executed(shard), proxy.port())) {
            insert(5);
            GtidSet read = ExtractorRig.executed(shard);
            rig.readAll(shard);
            proxy.refuse();
            proxy.cut();
            shard.execute("RESET MASTER");
            insert(60);
            assertTrue(ExtractorRig.executed(shard).containsAll(read), "the GTIDs alone do not tell");
            proxy.pass();
            assertTrue(rig.readUntilHeld().startsWith("SHARD_HISTORY_LOST: "), rig.held());
        }
    }

    @Test
    void anotherFileNumberAfterAResetIsFound() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.behind(ExtractorRig.executed(shard), proxy.port())) {
            shard.execute("FLUSH BINARY LOGS");
            insert(1);
            rig.readAll(shard);
            proxy.refuse();
            proxy.cut();
            shard.execute("RESET MASTER");
            insert(60);
            proxy.pass();
            assertTrue(rig.readUntilHeld().contains("found that its newest file is binlog.000001"), rig.held());
        }
    }

    @Test
    void aTransactionWithoutAGtidHoldsTheShardUntilTheNextFile() throws Exception {
        try (ExtractorRig rig = ExtractorRig.behindNow(shard)) {
            insert(2);
            rig.readAll(shard);
            shard.execute("SET GLOBAL gtid_mode = ON_PERMISSIVE", "SET GLOBAL gtid_mode = OFF_PERMISSIVE");
            insert(1);
            assertTrue(rig.readUntilHeld().startsWith("SHARD_UNFIT: "), rig.held());
            shard.execute("SET GLOBAL gtid_mode = ON_PERMISSIVE", "SET GLOBAL gtid_mode = ON", "FLUSH BINARY LOGS");
            insert(2);
            List<TokenKind> kinds =
                    rig.readAll(shard).stream().map(SeenToken::kind).toList();
            assertEquals(List.of(TokenKind.LOCAL, TokenKind.LOCAL), kinds);
            assertEquals("", rig.held());
        }
    }

    @Test
    void purgedFilesAndAFullFileAreNoReset() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.behind(ExtractorRig.executed(shard), proxy.port())) {
            insert(3);
            rig.readAll(shard);
            proxy.refuse();
            proxy.cut();
            shard.execute("FLUSH BINARY LOGS");
            proxy.pass();
            insert(1);
            rig.readAll(shard);
            proxy.refuse();
            proxy.cut();
            shard.execute("FLUSH BINARY LOGS");
            String newest = shard.binlogFiles()
                    .get(shard.binlogFiles().size() - 1)
                    .getFileName()
                    .toString();
            shard.execute("PURGE BINARY LOGS TO '" + newest + "'");
            proxy.pass();
            insert(1);
            assertEquals(TokenKind.LOCAL, rig.readAll(shard).get(0).kind());
            assertEquals("", rig.held());
        }
    }
}
