package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.write.Dumper;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real replicas, by GTID and by position, and mysqlbinlog read a binlog with changes and snapshots of the journal like one without. */
@Timeout(300)
class JournalReplicaTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private Dumper dumper;
    private BinlogServer server;

    private int write() throws Exception {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(4000));
        ShapedStream task = new ShapedStream();
        task.ddl("", "CREATE DATABASE shop", new byte[0]);
        int transactions = 1;
        while (dumper.files().list().size() < 4) {
            dumper.put(task.change("d\0shop\0t" + transactions, "CREATE TABLE " + "x".repeat(transactions % 7 * 100)));
            task.ddl("shop", "CREATE TABLE t" + transactions + " (id INT PRIMARY KEY)", new byte[0]);
            transactions++;
            dumper.put(task.batch());
            dumper.put(task.cut());
            dumper.run();
        }
        server = ServeSettings.serve(
                folder.resolve("serve"), dumper.files(), group, "serve.user = whole", "serve.password = secret");
        return transactions;
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
    }

    @Test
    void replicasByGtidAndByPositionAndMysqlbinlogSkipIt() throws Exception {
        int transactions = write();
        byte[] first = Files.readAllBytes(folder.resolve("binlog.000002"));
        assertTrue(new String(first, java.nio.charset.StandardCharsets.ISO_8859_1).contains("TSCH"));
        String executed = dumper.files().executed().line();
        int port = server.address().getPort();
        try (MysqlServer byGtid = MysqlServer.start(MysqlReplica.options("gtid", 4));
                MysqlServer byPosition = MysqlServer.start(MysqlReplica.options("position", 1))) {
            MysqlReplica one = new MysqlReplica(byGtid).attachByGtid("127.0.0.1", port, "whole", "secret");
            MysqlReplica other = new MysqlReplica(byPosition)
                    .attachByPosition("127.0.0.1", port, "whole", "secret", "binlog.000001", 4);
            one.awaitGtids(executed, LIMIT);
            other.awaitGtids(executed, LIMIT);
            assertTrue(one.isRunning(), one.error());
            assertTrue(other.isRunning(), other.error());
        }
        Optional<MysqlTools> tools = tools();
        for (var file : tools.isPresent() ? dumper.files().list() : List.<io.tributary.binlog.file.BinlogFile>of()) {
            assertEquals(new MysqlTools.Outcome(0, ""), tools.get().verifyChecksums(file.path()));
        }
        assertTrue(transactions > 5);
    }

    private static Optional<MysqlTools> tools() {
        try {
            return Optional.of(MysqlTools.cached());
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }
}
