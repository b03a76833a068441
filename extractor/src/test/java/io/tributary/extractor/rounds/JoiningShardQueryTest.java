package io.tributary.extractor.rounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.extractor.ExtractorRig;
import io.tributary.extractor.ShardConfig;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.server.Sql;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The queries of a shard that will join, on a real server. */
class JoiningShardQueryTest {
    private static final EventLoopGroup GROUP = ExtractorRig.newGroup();
    private static MysqlServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = MysqlServer.start("joining");
        MysqlUser.tributary().createForTributary(server);
        server.execute("CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)");
    }

    @AfterAll
    static void stopServer() {
        server.close();
        GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static JoiningShardQuery joining(ShardConfig config) {
        return new JoiningShardQuery("s9", config, new MysqlClient(GROUP));
    }

    private static JoiningShardQuery joining() {
        return joining(ExtractorRig.shard(server.port()));
    }

    @Test
    void returnsTheUuidAndTheExecutedTransactions() throws Exception {
        try (JoiningShardQuery shard = joining()) {
            assertEquals(server.uuid(), shard.uuid());
            GtidSet before = shard.executed();
            server.execute("INSERT INTO d.t VALUES (1)");
            assertEquals(1, shard.executed().minus(before).count());
        }
    }

    @Test
    void returnsEachPreparedBranchInTheFormOfXaStatements() throws Exception {
        try (JoiningShardQuery shard = joining();
                Sql first = server.sql();
                Sql second = server.sql()) {
            assertEquals(Set.of(), shard.prepared());
            first.execute(
                    "XA START 'a','b',7", "INSERT INTO d.t VALUES (10)", "XA END 'a','b',7", "XA PREPARE 'a','b',7");
            second.execute("XA START X'00ff'", "INSERT INTO d.t VALUES (11)", "XA END X'00ff'", "XA PREPARE X'00ff'");
            assertEquals(Set.of("'a','b',7", "X'00ff','',1"), lowerCase(shard.prepared()));
            for (String xid : shard.prepared()) {
                server.execute("XA ROLLBACK " + xid);
            }
            assertEquals(Set.of(), shard.prepared());
        }
    }

    private static Set<String> lowerCase(Set<String> xids) {
        return Set.copyOf(xids.stream()
                .map(xid -> xid.toLowerCase(java.util.Locale.ROOT).replace("x'", "X'"))
                .toList());
    }

    @Test
    void namesTheMissingRight() throws Exception {
        new MysqlUser("norecover", "pw", MysqlUser.NATIVE).create(server, "REPLICATION SLAVE ON *.*");
        try (JoiningShardQuery shard = joining(ShardConfig.of("127.0.0.1", server.port(), "norecover", "pw"))) {
            TributaryException e = assertThrows(TributaryException.class, shard::prepared);
            assertEquals(ErrorCode.SHARD_UNFIT, e.code());
            assertTrue(e.getMessage().contains("GRANT XA_RECOVER_ADMIN ON *.* TO 'norecover'"), e.getMessage());
        }
    }

    @Test
    void namesAShardThatIsUnreachableOrRefusesTheLogin() {
        TributaryException away =
                assertThrows(TributaryException.class, () -> joining(ExtractorRig.shard(Ports.free())));
        assertEquals(ErrorCode.SHARD_UNREACHABLE, away.code());
        ShardConfig stranger = ShardConfig.of("127.0.0.1", server.port(), "nobody", "pw");
        TributaryException refused = assertThrows(TributaryException.class, () -> joining(stranger));
        assertEquals(ErrorCode.SHARD_LOGIN_REFUSED, refused.code());
        assertFalse(refused.getMessage().contains("pw"), refused.getMessage());
    }
}
