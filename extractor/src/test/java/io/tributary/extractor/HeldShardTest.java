package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.TokenKind;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change by an operator can hold a shard that is read, and transactions of another history are never read as the next ones. */
class HeldShardTest {
    /** Number of transactions whose events fill more than one answer of SHOW BINLOG EVENTS. */
    private static final int MANY_ANONYMOUS = 250;

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
    void holdsTheShardAfterAChangedPasswordUntilItIsChangedBack() throws Exception {
        MysqlUser user = MysqlUser.tributary();
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.after(ExtractorRig.executed(shard), proxy.port())) {
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
    void findsAResetDuringAnOpenStream() throws Exception {
        try (ExtractorRig rig = ExtractorRig.afterNow(shard)) {
            insert(5);
            rig.readAll(shard);
            shard.execute("RESET MASTER");
            insert(1);
            assertTrue(rig.readUntilHeld().startsWith("SHARD_HISTORY_LOST: "), rig.held());
        }
    }

    @Test
    void findsAResetThatHasGrownPastTheReadPositionWhenTheStreamIsOpenedAgain() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.after(ExtractorRig.executed(shard), proxy.port())) {
            insert(5);
            GtidSet read = ExtractorRig.executed(shard);
            rig.readAll(shard);
            proxy.refuse();
            proxy.cut();
            shard.execute("RESET MASTER");
            insert(60);
            assertTrue(ExtractorRig.executed(shard).containsAll(read), "the GTIDs alone do not show it");
            proxy.pass();
            assertTrue(rig.readUntilHeld().startsWith("SHARD_HISTORY_LOST: "), rig.held());
        }
    }

    @Test
    void findsAnotherFileNumberAfterAReset() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.after(ExtractorRig.executed(shard), proxy.port())) {
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
        try (ExtractorRig rig = ExtractorRig.afterNow(shard)) {
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

    /** If GTIDs follow in the same file, the server sends nothing by GTID any more, and with gtid_mode = ON none of the transactions without one. */
    @Test
    void leavesOutTransactionsWithoutAGtidInTheConfiguredFile() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.of(
                        ExtractorRig.shard(proxy.port()).skippingAnonymous(nextFile()),
                        ExtractorRig.cut(ExtractorRig.executed(shard)))) {
            insert(1);
            rig.readAll(shard);
            shard.execute("SET GLOBAL gtid_mode = ON_PERMISSIVE");
            insertAnonymous(MANY_ANONYMOUS);
            insert(2);
            insertAnonymous(1);
            insert(1);
            assertEquals(3, rig.readAll(shard).size());
            proxy.cut();
            insert(1);
            assertEquals(1, rig.readAll(shard).size());

            proxy.refuse();
            proxy.cut();
            insertAnonymous(2);
            insert(1);
            insertAnonymous(1);
            shard.execute("SET GLOBAL gtid_mode = ON");
            insert(2);
            proxy.pass();
            assertEquals(3, rig.readAll(shard).size());
            proxy.cut();
            insert(1);
            assertEquals(1, rig.readAll(shard).size());
            assertEquals("", rig.held());
        }
    }

    @Test
    void transactionsWithoutAGtidInAnotherFileHoldTheShard() throws Exception {
        try (ExtractorRig rig = ExtractorRig.of(
                ExtractorRig.shard(shard.port()).skippingAnonymous(nextFile()),
                ExtractorRig.cut(ExtractorRig.executed(shard)))) {
            insert(1);
            rig.readAll(shard);
            shard.execute("FLUSH BINARY LOGS", "SET GLOBAL gtid_mode = ON_PERMISSIVE");
            insertAnonymous(1);
            insert(1);
            assertTrue(rig.readUntilHeld().startsWith("SHARD_UNFIT: "), rig.held());
        }
    }

    /** The position of a cut in tso order may be before transactions that were read. */
    @Test
    void doesNotReadTransactionsAgainByPosition() throws Exception {
        shard.execute("SET GLOBAL gtid_mode = ON_PERMISSIVE");
        String file = newestFile();
        insert(2);
        ShardCut cut = new ShardCut(
                "s1",
                shard.uuid(),
                new ResumePosition(ExtractorRig.executed(shard), file, 4),
                ExtractorRig.executed(shard),
                0,
                0,
                Cut.LeftOutGtids.NONE);
        insertAnonymous(1);
        insert(2);
        try (ExtractorRig rig = ExtractorRig.of(ExtractorRig.shard(shard.port()).skippingAnonymous(file), cut)) {
            assertEquals(2, rig.readAll(shard).size());
        }
    }

    private String newestFile() throws SQLException {
        try (Sql sql = shard.sql()) {
            return sql.text("SHOW MASTER STATUS").split("\\s", 2)[0];
        }
    }

    /** A change of gtid_mode begins it. */
    private String nextFile() throws SQLException {
        String newest = newestFile();
        int dot = newest.indexOf('.') + 1;
        return newest.substring(0, dot)
                + String.format(Locale.ROOT, "%06d", Integer.parseInt(newest.substring(dot)) + 1);
    }

    private void insertAnonymous(int rows) throws SQLException {
        for (int i = 0; i < rows; i++) {
            shard.execute("SET gtid_next = 'ANONYMOUS'", "INSERT INTO d.t (v) VALUES ('anonymous')");
        }
    }

    @Test
    void purgedFilesAndAFullFileAreNotAReset() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(shard.port());
                ExtractorRig rig = ExtractorRig.after(ExtractorRig.executed(shard), proxy.port())) {
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
