package io.tributary.bench.seed;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.seed.replica.TargetWriters;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.ShardTable;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A shard with one table of rows as sysbench makes them, and empty targets. */
final class SeedRig implements AutoCloseable {
    static final TableName TABLE = new TableName("bench", "sbtest");
    static final int SESSIONS = 4;

    /** The table fits into the target's memory; the servers of other tests have 32 MB. */
    private static final String[] MEMORY = {"--innodb-buffer-pool-size=512M", "--innodb-redo-log-capacity=512M"};

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String CREATE =
            "CREATE TABLE `sbtest` (`id` int NOT NULL AUTO_INCREMENT, `k` int NOT NULL DEFAULT"
                    + " '0', `c` char(120) NOT NULL DEFAULT '', `pad` char(60) NOT NULL DEFAULT '', PRIMARY KEY (`id`), KEY `k_1`"
                    + " (`k`)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci";

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final MysqlServer shard;

    SeedRig(int rows) throws SQLException {
        shard = MysqlServer.start(MysqlOptions.named("shard"));
        shard.execute(
                "CREATE DATABASE bench",
                "USE bench",
                CREATE,
                "SET SESSION cte_max_recursion_depth = 100000000",
                "INSERT INTO sbtest (k, c, pad) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                        + rows + ") SELECT FLOOR(RAND() * " + rows + "), REPEAT(CONCAT(LPAD(i, 11, '0'), '-'), 10),"
                        + " REPEAT(CONCAT(LPAD(i, 11, '1'), '-'), 5) FROM n");
    }

    MysqlClient client() {
        return new MysqlClient(loop);
    }

    ExecutorService threads() {
        return threads;
    }

    MysqlServer shard() {
        return shard;
    }

    /** A new server; the caller closes it. */
    MysqlServer newTarget(boolean withTable) throws SQLException {
        MysqlServer target = MysqlServer.start(MysqlOptions.named("target").with(MEMORY));
        if (withTable) {
            target.execute("SET SESSION sql_log_bin = 0", "CREATE DATABASE bench", "USE bench", CREATE);
        }
        return target;
    }

    Peer shardPeer() {
        return new Peer(Peer.Role.SHARD, "s1", endpoint(shard), TIMEOUT);
    }

    /** Begins a seed of a target. */
    TargetWriters writers(MysqlServer target) {
        MysqlClient client = client();
        try (SqlSession control = SqlSession.open(client, Peer.target(endpoint(target), TIMEOUT))) {
            control.run("SET SESSION sql_log_bin = 0");
            return TargetWriters.begin(client, control);
        }
    }

    private static Endpoint endpoint(MysqlServer server) {
        return Endpoint.of("127.0.0.1", server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
    }

    LogicalTable table() {
        TableDefinition definition = DefinitionReader.create(
                        CREATE, ReadSession.standard(TABLE.schema()), other -> Optional.empty())
                .orElseThrow();
        return new LogicalTable(definition, CREATE, List.of(new ShardTable(shardPeer(), TABLE)));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        shard.close();
    }
}
