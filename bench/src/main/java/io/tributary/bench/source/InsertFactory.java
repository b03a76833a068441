package io.tributary.bench.source;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Writes binlogs with real servers and sysbench's oltp_insert: one row per transaction, several connections at the same time. Columns c and
 * pad have 255 characters, so that events have 160 to 170 bytes on average; with sysbench's columns they would be smaller.
 */
final class InsertFactory implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final int BATCH = 2000;
    private static final int POOL_ROWS = 500;
    private static final Duration LONGEST_BATCH = Duration.ofMinutes(10);

    /** The helper objects. Neither they nor the pool of random strings are in the binlog. */
    private static final List<String> TOOLS = List.of(
            "CREATE DATABASE tools",
            "CREATE TABLE tools.pool (id INT PRIMARY KEY, c CHAR(255) NOT NULL, pad CHAR(255) NOT NULL)",
            """
            CREATE PROCEDURE tools.fill_pool(number INT)
            BEGIN
              DECLARE i INT DEFAULT 0;
              WHILE i < number DO
                INSERT INTO tools.pool VALUES (i,
                  LEFT(REPEAT(CONCAT(LPAD(FLOOR(RAND() * 99999999999), 11, '0'), '-'), 22), 255),
                  LEFT(REPEAT(CONCAT(LPAD(FLOOR(RAND() * 99999999999), 11, '0'), '-'), 22), 255));
                SET i = i + 1;
              END WHILE;
            END
            """);

    private final Path folder;
    private final long bytes;
    private final MysqlServers servers;
    private final MultiThreadIoEventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("bench-load", true), NioIoHandler.newFactory());
    private final List<MysqlConnection> connections = new ArrayList<>();

    InsertFactory(Path folder, int shards, long bytes) {
        this.folder = folder;
        this.bytes = bytes;
        this.servers = MysqlServers.start(IntStream.rangeClosed(1, shards)
                .mapToObj(shard -> options(folder, "s" + shard))
                .toList());
    }

    private static MysqlOptions options(Path folder, String name) {
        return MysqlOptions.named(name)
                .in(folder.resolve(name + "-server"))
                .with(
                        "--innodb-flush-log-at-trx-commit=0",
                        "--innodb-doublewrite=OFF",
                        "--innodb-buffer-pool-size=128M",
                        "--innodb-redo-log-capacity=256M",
                        "--max-binlog-size=1G");
    }

    /** Writes {@code NAME.binlog} and {@code NAME.uuid} of each shard to the folder. */
    void make() throws SQLException, IOException {
        List<CompletableFuture<Void>> fills = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            MysqlServer server = servers.get(i);
            prepare(server);
            for (int writer = 0; writer < CONNECTIONS; writer++) {
                fills.add(fill(server, i, writer));
            }
        }
        fills.forEach(CompletableFuture::join);
        for (MysqlServer server : servers) {
            String uuid = server.uuid();
            server.stop(); // so that its file is complete
            Path binlog = server.binlogFiles().get(0);
            Files.move(binlog, folder.resolve(server.name() + ".binlog"));
            Files.writeString(folder.resolve(server.name() + ".uuid"), uuid);
        }
    }

    private static void prepare(MysqlServer server) throws SQLException {
        try (Sql sql = server.sql()) {
            sql.execute("RESET MASTER", "SET sql_log_bin = 0").execute(TOOLS.toArray(String[]::new));
            sql.execute("START TRANSACTION", "CALL tools.fill_pool(" + POOL_ROWS + ")", "COMMIT");
            for (int writer = 0; writer < CONNECTIONS; writer++) {
                sql.execute(filler(writer));
            }
            sql.execute("SET sql_log_bin = 1", "CREATE DATABASE sbtest");
            for (int writer = 0; writer < CONNECTIONS; writer++) {
                sql.execute("CREATE TABLE sbtest.sbtest" + writer + " (id INT NOT NULL AUTO_INCREMENT, "
                        + "k INT NOT NULL DEFAULT '0', c CHAR(255) NOT NULL DEFAULT '', "
                        + "pad CHAR(255) NOT NULL DEFAULT '', PRIMARY KEY (id))");
            }
        }
    }

    private static String filler(int writer) {
        return """
                CREATE PROCEDURE tools.fill%1$d(first INT, number INT, stride INT)
                BEGIN
                  DECLARE i INT DEFAULT 0;
                  WHILE i < number DO
                    INSERT INTO sbtest.sbtest%1$d (id, k, c, pad)
                      SELECT first + i * stride, FLOOR(RAND() * 1000000), c, pad FROM tools.pool
                        WHERE id = (first + i) %% %2$d;
                    SET i = i + 1;
                  END WHILE;
                END
                """.formatted(writer, POOL_ROWS);
    }

    /** Fills a table. The ids of different shards are different, as in one sharded table. */
    private CompletableFuture<Void> fill(MysqlServer server, int shard, int writer) {
        return new MysqlClient(loop)
                .connect(Endpoint.of(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD))
                .thenCompose(connection -> {
                    connections.add(connection);
                    return batches(connection, server, shard + 1, writer);
                });
    }

    private CompletableFuture<Void> batches(MysqlConnection connection, MysqlServer server, int first, int writer) {
        if (written(server) >= bytes) {
            return CompletableFuture.completedFuture(null);
        }
        int stride = servers.size();
        String call = "CALL tools.fill" + writer + "(" + first + ", " + BATCH + ", " + stride + ")";
        return connection
                .query(call)
                .orTimeout(LONGEST_BATCH.toSeconds(), TimeUnit.SECONDS)
                .thenCompose(done -> batches(connection, server, first + BATCH * stride, writer));
    }

    private static long written(MysqlServer server) {
        try {
            return Files.size(server.binlogFiles().get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        connections.forEach(MysqlConnection::close);
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        servers.close();
        for (MysqlServer server : servers) {
            Folders.delete(folder.resolve(server.name() + "-server"));
        }
    }
}
