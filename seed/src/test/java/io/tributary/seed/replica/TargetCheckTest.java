package io.tributary.seed.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.ServerVersion;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TargetCheckTest {
    @Test
    void anOldServerWithoutABinlogIsRefused() throws Exception {
        MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (MysqlServer server = MysqlServer.start(MysqlOptions.named("old")
                        .of(MysqlRelease.MYSQL_5_7_22)
                        .with("--skip-log-bin", "--skip-log-slave-updates"));
                SqlSession session = SqlSession.open(
                        new MysqlClient(loop),
                        Peer.target(
                                Endpoint.of(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD),
                                Duration.ofSeconds(30)))) {
            TributaryException refused = assertThrows(
                    TributaryException.class,
                    () -> new TargetCheck(session).require(false, ServerVersion.of("5.7.22")));
            assertEquals(ErrorCode.TARGET_UNFIT, refused.code());
            assertTrue(refused.getMessage().contains("expected log_bin = ON, found OFF"), refused.getMessage());
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }
}
