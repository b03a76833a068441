package io.tributary.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.binlog.Archive;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.server.ServerListener;
import io.tributary.serve.schema.LogicalNames;
import io.tributary.serve.schema.SchemaProxy;
import io.tributary.serve.schema.SchemaProxyConfig;
import io.tributary.serve.schema.SchemaService;
import io.tributary.serve.schema.ServeThreads;
import io.tributary.serve.statement.NodeTables;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A real shard that answers questions about schemas, a binlog of one transaction, and its server. Physical table {@code t_N} is a member of {@code t}. */
final class ServedSchema implements AutoCloseable {
    static final MysqlUser READER = new MysqlUser("reader", "secret", MysqlUser.NATIVE);

    final MysqlServer shard;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final EventExecutorGroup workers = new DefaultEventExecutorGroup(1);
    private final Dumper dumper;
    private final SchemaProxy proxy;
    private final BinlogServer server;

    /** @param keys lines of the configuration of the server of readers */
    ServedSchema(Path folder, MysqlServer shard, String... keys) throws Exception {
        this.shard = shard;
        dumper = new Dumper(BinlogSettings.in(folder.resolve("binlog")));
        TaskStream task = new TaskStream(1, Optional.empty());
        dumper.put(task.batch(1));
        dumper.put(task.cut());
        dumper.run();
        List<String> lines = new ArrayList<>(
                List.of("serve.user = reader", "serve.password = secret", "serve.native-password = true"));
        lines.addAll(List.of(keys));
        ServeConfig config = ServeSettings.of(lines.toArray(new String[0]));
        SchemaProxyConfig schemas = new ConfigReader(List.of(SchemaProxyConfig.class))
                .read("test", List.of(), Map.of())
                .get(SchemaProxyConfig.class);
        proxy = new SchemaProxy(
                schemas,
                () -> Endpoint.of("127.0.0.1", shard.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD),
                new LogicalNames(
                        name -> new TableName(name.schema(), name.table().replaceFirst("_\\d$", "")),
                        false,
                        Set.of("mysql", "sys", "performance_schema", "information_schema")),
                new ServeThreads(group, workers),
                Clock.SYSTEM);
        server = new BinlogServer(
                new ServeOptions(config, ServedBinlog.DUMPS, folder.resolve("serve"), "8.0.36-tributary", 1 << 20),
                new ServedContent(
                        new ReadableFiles(dumper.files(), Archive.NONE),
                        NodeTables.NONE,
                        new SchemaService(proxy, SchemaProxyConfig.Mode.HISTORY, 16 << 20)),
                ServerListener.open(group, config.listen().resolve(), "there is no server"),
                Clock.SYSTEM,
                new Metrics());
        proxy.begin();
    }

    int port() {
        return server.address().getPort();
    }

    @Override
    public void close() {
        server.close();
        proxy.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        workers.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
