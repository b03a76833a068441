package io.tributary.seed.verify;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.ShardTable;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Two shards and a replica that no node joins: the test writes to all of them. */
final class VerifyServers implements AutoCloseable {
    static final String SCHEMA = "v";

    private final MysqlServers servers;
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    /** What was found in one run. */
    static final class Heard implements VerifyListener {
        final List<Finding> findings = Collections.synchronizedList(new ArrayList<>());
        final List<String> script = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void chunk(TableName table, long rows) {}

        @Override
        public void found(Finding finding) {
            findings.add(finding);
        }

        @Override
        public void repaired(TableName table, List<String> settings, List<String> statements) {
            script.addAll(settings);
            script.addAll(statements);
        }
    }

    VerifyServers() throws SQLException {
        this(MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_8_0_31);
    }

    /**
     * @param second release of the second shard
     * @param third release of the replica
     */
    VerifyServers(MysqlRelease second, MysqlRelease third) throws SQLException {
        servers = MysqlServers.start(List.of(
                MysqlOptions.named("s1"),
                MysqlOptions.named("s2").of(second),
                MysqlOptions.named("replica").of(third)));
        for (MysqlServer each : servers) {
            each.execute("CREATE DATABASE " + SCHEMA);
        }
    }

    MysqlServer shard(int number) {
        return servers.get(number);
    }

    MysqlServer replica() {
        return servers.get(2);
    }

    MysqlClient client() {
        return new MysqlClient(loops);
    }

    /** Creates a table everywhere. */
    LogicalTable create(String table, String body) throws SQLException {
        for (MysqlServer each : servers) {
            each.execute("CREATE TABLE " + SCHEMA + "." + table + " (" + body + ")");
        }
        return table(table);
    }

    /** A table as the replica has it, with a member on each shard. */
    LogicalTable table(String table) throws SQLException {
        String text = replica()
                .sql()
                .rows("SHOW CREATE TABLE " + SCHEMA + "." + table)
                .get(0)
                .get("Create Table");
        return new LogicalTable(
                DefinitionReader.create(text, ReadSession.standard(SCHEMA), name -> Optional.empty())
                        .orElseThrow(),
                text,
                List.of(member(0, table), member(1, table)));
    }

    private ShardTable member(int shard, String table) {
        return new ShardTable(peer(Peer.Role.SHARD, shard(shard)), new TableName(SCHEMA, table));
    }

    private static Peer peer(Peer.Role role, MysqlServer server) {
        return new Peer(
                role,
                server.name(),
                Endpoint.of("127.0.0.1", server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD),
                Duration.ofSeconds(30));
    }

    /** The first shard in place of a node: it has a binlog too. */
    Peer node() {
        return peer(Peer.Role.NODE, shard(0));
    }

    Heard verify(VerifyOptions options, LogicalTable... tables) {
        return verify(GtidSet.EMPTY, options, tables);
    }

    /** @param executed what the stream has written */
    Heard verify(GtidSet executed, VerifyOptions options, LogicalTable... tables) {
        Heard heard = new Heard();
        var unused = new Verifier(
                        peer(Peer.Role.TARGET, replica()),
                        () -> checkpoint(executed),
                        new Verifier.Work(client(), options, heard, Clock.SYSTEM))
                .run(List.of(tables), threads, 2);
        return heard;
    }

    private Checkpoint checkpoint(GtidSet executed) {
        Map<String, GtidSet> frontiers = new HashMap<>();
        try {
            for (int i = 0; i < 2; i++) {
                String text = shard(i).gtidExecuted();
                boolean isMariadb = shard(i).release().isMariadb();
                frontiers.put(shard(i).name(), isMariadb ? MariadbGtids.upTo(text) : GtidSet.parse(text));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new Checkpoint(executed, frontiers);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        servers.close();
    }
}
