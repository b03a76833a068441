package io.tributary.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.binlog.Archive;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.server.ServerListener;
import io.tributary.serve.schema.LogicalNames;
import io.tributary.serve.schema.SchemaService;
import io.tributary.serve.select.SelectConfig;
import io.tributary.serve.select.SelectShards;
import io.tributary.serve.statement.NodeTables;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Two real shards, a binlog whose cuts a test writes, and its server. Physical table {@code t_N} is a member of the logical table {@code t}. */
final class ShardedTables implements AutoCloseable {
    private static final Set<String> HIDDEN = Set.of("mysql", "sys", "performance_schema", "information_schema");

    final MysqlServers shards = MysqlServers.start("s1", "s2");
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final EventExecutorGroup workers = new DefaultEventExecutorGroup(1);
    private final Dumper dumper;
    private final Metrics metrics = new Metrics();
    private final BinlogServer server;
    private long chunks;

    /** @param keys lines of the configuration of SELECTs, and of the server of readers */
    ShardedTables(Path folder, String... keys) {
        dumper = new Dumper(BinlogSettings.in(folder.resolve("binlog")));
        List<String> ofServer = new ArrayList<>(List.of("serve.user = reader", "serve.password = secret"));
        List<String> ofSelects = new ArrayList<>();
        for (String key : keys) {
            (key.startsWith("serve.select") ? ofSelects : ofServer).add(key);
        }
        ServeConfig config = ServeSettings.of(ofServer.toArray(new String[0]));
        SelectConfig selects = new ConfigReader(List.of(SelectConfig.class))
                .read("test", ofSelects, Map.of())
                .get(SelectConfig.class);
        server = new BinlogServer(
                new ServeOptions(config, ServedBinlog.DUMPS, folder.resolve("serve"), "8.0.36-tributary", 1 << 20),
                new ServedContent(
                        new ReadableFiles(dumper.files(), Archive.NONE),
                        NodeTables.NONE,
                        SchemaService.NONE,
                        java.util.Optional.of(new SelectShards(
                                selects,
                                this::endpoints,
                                new LogicalNames(ShardedTables::logical, false, HIDDEN),
                                name -> name.startsWith("_"),
                                workers))),
                ServerListener.open(group, config.listen().resolve(), "there is no server"),
                Clock.SYSTEM,
                metrics);
    }

    /** The memory that is counted for all sessions, in bytes. */
    long memory() {
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals("tributary.serve.memory"))
                .mapToLong(sample -> (long) sample.value())
                .sum();
    }

    private Map<String, Endpoint> endpoints() {
        Map<String, Endpoint> endpoints = new HashMap<>();
        for (MysqlServer shard : shards) {
            endpoints.put(
                    shard.name(), Endpoint.of("127.0.0.1", shard.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD));
        }
        return endpoints;
    }

    /** The name without the number at its end. */
    private static TableName logical(TableName physical) {
        return new TableName(physical.schema(), physical.table().replaceFirst("_\\d$", ""));
    }

    /** Writes a cut whose frontiers are what the shards have executed. */
    ShardedTables cut() throws Exception {
        return cut(shards.get(0).gtidExecuted(), shards.get(1).gtidExecuted());
    }

    /** Writes a cut with these frontiers. */
    ShardedTables cut(String... frontiers) throws Exception {
        List<ShardCut> parts = new ArrayList<>();
        for (int i = 0; i < frontiers.length; i++) {
            GtidSet done = GtidSet.parse(frontiers[i]);
            parts.add(ShardCut.unread(shards.get(i).name(), shards.get(i).uuid(), done, done));
        }
        chunks++;
        dumper.put(new Chunk.CutMark(
                chunks,
                new Cut(
                        1,
                        chunks,
                        new Cut.Sources(parts, Set.of()),
                        new Cut.OutputPoint(0, 0, 0),
                        new Cut.SchemaPoint(SchemaState.NONE, 0))));
        dumper.run();
        return this;
    }

    Connection jdbc(String user, String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + server.address().getPort()
                        + "/shop?allowPublicKeyRetrieval=true&sslMode=DISABLED" + options,
                user,
                "secret");
    }

    MysqlConnection connect() throws Exception {
        return new MysqlClient(group)
                .connect(Endpoint.of("127.0.0.1", server.address().getPort(), "reader", "secret"), 8 << 10)
                .get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        workers.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        shards.close();
    }
}
