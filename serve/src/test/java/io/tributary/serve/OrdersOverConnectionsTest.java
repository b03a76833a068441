package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.Dumper;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Administrative statements, and statements with a later answer, over real connections. */
@Timeout(60)
class OrdersOverConnectionsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private final TaskStream task = new TaskStream(1, Optional.empty());
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private Dumper dumper;
    private BinlogServer server;
    private MysqlConnection connection;

    /** Serves three finished files, and the beginning of a fourth. */
    @BeforeEach
    void serve() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(20_000));
        while (dumper.files().list().size() < 4) {
            write();
        }
        write();
        server = ServeSettings.serve(
                folder.resolve("serve"), dumper.files(), group, "serve.user = reader", "serve.password = secret");
        connection = connect();
    }

    @AfterEach
    void end() throws Exception {
        connection.close();
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    private MysqlConnection connect() throws Exception {
        Endpoint endpoint = Endpoint.of("127.0.0.1", server.address().getPort(), "reader", "secret");
        return new MysqlClient(group).connect(endpoint).get(20, TimeUnit.SECONDS);
    }

    private void write() throws Exception {
        dumper.put(task.batch(10));
        dumper.put(task.cut());
        dumper.run();
    }

    private QueryResult query(String sql) {
        return connection.query(sql, LIMIT);
    }

    private int refusal(String sql) {
        return assertThrows(MysqlServerError.class, () -> query(sql), sql).errorCode();
    }

    private String newest() {
        return query("SHOW MASTER STATUS").text(0, "File");
    }

    @Test
    void flushEndsTheFileOnceItHasATransaction() throws Exception {
        CompletableFuture<QueryResult> flushed = connection.query("FLUSH BINARY LOGS");
        try (MysqlConnection other = connect()) {
            while (!dumper.files().isRotationRequested(4)) {
                other.query("SELECT 1", LIMIT); // the command is being executed
            }
            assertFalse(flushed.isDone());
            dumper.run();
            connection.await(flushed, LIMIT);
        }
        assertEquals("binlog.000005", newest());
        BinlogFile fourth = dumper.files().find("binlog.000004").orElseThrow();
        assertTrue(fourth.isFinished());
        fourth.verify();
        query("FLUSH LOGS"); // the file has no transaction: answers at once
        assertEquals("binlog.000005", newest());
        write();
        assertEquals("binlog.000005", newest());
    }

    @Test
    void flushWaitsForTheCutOfTheCurrentTransactions() throws Exception {
        dumper.put(task.batch(5));
        dumper.run();
        CompletableFuture<QueryResult> flushed = connection.query("FLUSH BINARY LOGS");
        try (MysqlConnection other = connect()) {
            while (!dumper.files().isRotationRequested(4)) {
                other.query("SELECT 1", LIMIT);
            }
        }
        dumper.run();
        assertEquals("binlog.000004", dumper.files().durableEnd().file().name());
        dumper.put(task.cut());
        dumper.run();
        connection.await(flushed, LIMIT);
        BinlogFile fourth = dumper.files().find("binlog.000004").orElseThrow();
        fourth.verify();
        assertEquals(task.gno(), dumper.files().durableEnd().gno());
        dumper.close();
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(20_000));
        assertEquals(task.gno(), dumper.files().durableEnd().gno());
    }

    @Test
    void purgeKeepsFilesThatAReaderReads() throws Exception {
        query("PURGE BINARY LOGS TO 'binlog.000002'");
        assertEquals("binlog.000002", query("SHOW BINARY LOGS").text(0, "Log_name"));
        try (MysqlConnection reader = connect();
                BinlogStream stream =
                        reader.await(reader.dump(BinlogDump.from("binlog.000004", 4, 7, new UUID(9, 9))), LIMIT)) {
            while (stream.poll((view, at, length) -> true, 1 << 20) == 0) {
                Thread.onSpinWait();
            }
            query("PURGE BINARY LOGS TO 'binlog.000003'");
            query("PURGE MASTER LOGS TO 'binlog.000004'");
            CompletableFuture<QueryResult> flushed = connection.query("FLUSH BINARY LOGS");
            while (!flushed.isDone()) {
                dumper.run();
            }
        }
        String gtids = BinlogSettings.UUID + ":1-";
        assertTrue(query("SELECT @@gtid_purged").rows().get(0).text(0).startsWith(gtids));
        assertEquals(1373, refusal("PURGE BINARY LOGS TO 'binlog.000001'"));
        query("PURGE BINARY LOGS BEFORE NOW() - INTERVAL 100 YEAR");
        assertEquals("binlog.000004", query("SHOW BINARY LOGS").text(0, "Log_name"));
    }

    @Test
    void purgeReportsTheFileThatIsBeingRead() throws Exception {
        try (MysqlConnection reader = connect();
                BinlogStream stream =
                        reader.await(reader.dump(BinlogDump.from("binlog.000002", 4, 7, new UUID(9, 9))), LIMIT)) {
            assertTrue(stream.isOpen()); // it receives nothing: the dump is in its first files
            BinlogFile second = dumper.files().find("binlog.000002").orElseThrow();
            dumper.files().hold(second); // small files all fit into the socket's buffers
            assertEquals(1378, refusal("PURGE BINARY LOGS TO 'binlog.000004'"));
            assertEquals("binlog.000002", query("SHOW BINARY LOGS").text(0, "Log_name"));
            dumper.files().release(second);
        }
    }

    @Test
    void theEventsOfAFileAreListed() throws Exception {
        QueryResult all = query("SHOW BINLOG EVENTS");
        assertEquals("Format_desc", all.text(0, "Event_type"));
        assertEquals("Server ver: 8.0.36-tributary, Binlog ver: 4", all.text(0, "Info"));
        assertEquals("Previous_gtids", all.text(1, "Event_type"));
        assertEquals("Ignorable", all.text(2, "Event_type"));
        assertEquals("SET @@SESSION.GTID_NEXT= '" + BinlogSettings.UUID + ":1'", all.text(3, "Info"));
        int last = all.rows().size() - 1;
        assertEquals("binlog.000002;pos=4", all.text(last, "Info"));
        for (int i = 1; i <= last; i++) {
            assertEquals(all.text(i - 1, "End_log_pos"), all.text(i, "Pos"));
        }
        QueryResult some = query("SHOW BINLOG EVENTS IN 'binlog.000001' FROM " + all.text(3, "Pos") + " LIMIT 1, 2");
        assertEquals(2, some.rows().size());
        assertEquals(all.text(4, "Pos"), some.text(0, "Pos"));
        assertEquals(1220, refusal("SHOW BINLOG EVENTS IN 'binlog.000099'"));
        assertEquals(1220, refusal("SHOW BINLOG EVENTS FROM 77"));
        assertEquals(1220, refusal("SHOW BINLOG EVENTS FROM 99999999"));
        assertEquals("Format_desc", query("show binlog events limit 1").text(0, "Event_type"));
    }

    @Test
    void aPositionCanBeFoundWithSql() throws Exception {
        QueryResult found = query("SHOW TRIBUTARY POSITION FOR GTID '" + BinlogSettings.UUID + ":7'");
        assertEquals("binlog.000001", found.text(0, "File"));
        assertEquals(BinlogSettings.UUID + ":1-6", found.text(0, "Gtids_before"));
        QueryResult byTime = query("SHOW TRIBUTARY POSITION FOR TIME '2023-11-14 22:13:27'");
        assertEquals(found.text(0, "Position"), byTime.text(0, "Position"));
        assertEquals("2023-11-14 22:13:27", byTime.text(0, "Commit_time"));
        assertEquals(1105, refusal("SHOW TRIBUTARY POSITION FOR GTID '" + BinlogSettings.UUID + ":99999'"));
    }

    @Test
    void killQueryEndsAStatementAndNotItsSession() throws Exception {
        CompletableFuture<QueryResult> flushed = connection.query("FLUSH BINARY LOGS");
        try (MysqlConnection other = connect()) {
            while (!dumper.files().isRotationRequested(4)) {
                other.query("SELECT 1", LIMIT);
            }
            other.query("KILL QUERY " + connection.threadId(), LIMIT);
            MysqlServerError killed = assertThrows(MysqlServerError.class, () -> connection.await(flushed, LIMIT));
            assertEquals(1317, killed.errorCode());
            assertEquals("1", query("SELECT 1").text(0, "1"));
            other.query("KILL " + connection.threadId(), LIMIT);
            Await.until(
                    "the killed session to end",
                    LIMIT,
                    () -> !connection.isOpen()); // as in MySQL, KILL does not wait for it
            assertThrows(RuntimeException.class, () -> query("SELECT 1"));
            MysqlServerError unknown = assertThrows(MysqlServerError.class, () -> other.query("KILL 99999", LIMIT));
            assertEquals(1094, unknown.errorCode());
        }
    }

    @Test
    void theSchemaInUseAndTheTimeOfASessionAreShown() throws Exception {
        query("USE `shop`");
        assertEquals("shop", query("SELECT DATABASE()").text(0, "DATABASE()"));
        List<QueryResult.Row> sessions = query("SHOW PROCESSLIST").rows();
        assertEquals(1, sessions.size());
        assertEquals("shop", sessions.get(0).text(3));
        assertEquals("Query", sessions.get(0).text(4));
        assertEquals(1235, refusal("SHOW TABLES"));
    }
}
