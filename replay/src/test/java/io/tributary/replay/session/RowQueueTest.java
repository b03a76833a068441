package io.tributary.replay.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.RowQueue;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Result sets of a real server that are read row by row. */
class RowQueueTest {
    private static final MultiThreadIoEventLoopGroup LOOP =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static final String NUMBERS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ";
    private static MysqlServer server;

    @BeforeAll
    static void start() {
        server = MysqlServer.start("stream");
    }

    @AfterAll
    static void end() {
        server.close();
        LOOP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static SqlSession session() {
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        SqlSession session = SqlSession.open(
                new MysqlClient(LOOP), new Peer(Peer.Role.SHARD, "s1", endpoint, Duration.ofSeconds(30)));
        session.run("SET SESSION cte_max_recursion_depth = 100000000");
        return session;
    }

    @Test
    void onlyPartOfALargeAnswerIsInMemory() throws SQLException {
        try (SqlSession session = session()) {
            long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
            RowQueue rows = session.stream(NUMBERS + "100000) SELECT i, REPEAT('x', 2000) FROM n", 1 << 20);
            Await.until("a server that waits for its reader", Duration.ofSeconds(30), RowQueueTest::isSending);
            long used = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before;
            assertTrue(used < 32 << 20, used + " bytes");
            long bytes = 0;
            int count = 0;
            for (ByteBuf row = session.next(rows); row != null; row = session.next(rows)) {
                bytes += row.readableBytes();
                count++;
            }
            assertEquals(100_000, count);
            assertTrue(bytes > 200_000_000);
            rows.close();
            assertEquals("1", session.value("SELECT 1"));
        }
    }

    private static boolean isSending() {
        try {
            return !server.text("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'WITH RECURSIVE%'"
                            + " AND TIME >= 1")
                    .equals("0");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void longRowsAndEmptyAnswersArrive() {
        try (SqlSession session = session()) {
            try (RowQueue rows = session.stream("SELECT REPEAT('y', 20000000) UNION ALL SELECT 'z'", 1 << 16)) {
                assertEquals(20_000_000 + 9, session.next(rows).readableBytes());
                assertEquals(2, session.next(rows).readableBytes());
                assertEquals(null, session.next(rows));
                assertEquals(null, session.next(rows));
            }
            try (RowQueue rows = session.stream("SELECT 1 FROM DUAL WHERE FALSE", 1 << 16)) {
                assertEquals(null, session.next(rows));
            }
        }
    }

    @Test
    void anErrorAfterRowsAndALostConnectionAreReported() throws SQLException {
        try (SqlSession session = session()) {
            RowQueue refused =
                    session.stream(NUMBERS + "1000) SELECT i, IF(i = 900, ST_GeomFromText('x'), 1) FROM n", 1 << 20);
            assertThrows(MysqlServerError.class, () -> readAll(session, refused));
            refused.close();
            assertEquals("1", session.value("SELECT 1"));
            RowQueue lost = session.stream(NUMBERS + "10000000) SELECT i, REPEAT('x', 2000) FROM n", 1 << 16);
            session.next(lost);
            server.execute("KILL " + session.connection().threadId());
            TributaryException failed = assertThrows(TributaryException.class, () -> readAll(session, lost));
            assertEquals(ErrorCode.SHARD_UNREACHABLE, failed.code());
            lost.close();
        }
    }

    private static void readAll(SqlSession session, RowQueue rows) {
        ByteBuf row = session.next(rows);
        while (row != null) {
            row = session.next(rows);
        }
    }

    @Test
    void closingEarlyClosesTheConnection() {
        try (SqlSession session = session()) {
            RowQueue rows = session.stream(NUMBERS + "1000000) SELECT i, REPEAT('x', 2000) FROM n", 1 << 16);
            session.next(rows);
            rows.close();
            Await.until(
                    "the end of the connection",
                    Duration.ofSeconds(20),
                    () -> !session.connection().isOpen());
            assertFalse(session.connection().isOpen());
        }
    }
}
