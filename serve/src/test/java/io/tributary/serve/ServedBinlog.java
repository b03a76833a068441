package io.tributary.serve;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.binlog.Archive;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.server.ServerListener;
import io.tributary.serve.dump.DumpConfig;
import io.tributary.serve.schema.SchemaService;
import io.tributary.serve.statement.NodeTables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A binlog that a test writes, and its server, with small files. */
final class ServedBinlog implements AutoCloseable {
    static final String GTIDS = BinlogSettings.UUID + ":";
    static final DumpConfig DUMPS = new DumpConfig(0, Duration.ofSeconds(10), Duration.ofMinutes(10));

    final Metrics metrics = new Metrics();
    final TaskStream task = new TaskStream(1, Optional.empty());
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final Dumper dumper;
    private final BinlogServer server;

    ServedBinlog(Path folder, long fileSize, DumpConfig dumps) {
        this(folder, fileSize, dumps, Archive.NONE);
    }

    ServedBinlog(Path folder, long fileSize, DumpConfig dumps, Archive archive) {
        this(folder, fileSize, dumps, archive, false);
    }

    /** A server with more lines of configuration. */
    ServedBinlog(Path folder, DumpConfig dumps, String... keys) {
        this(folder, 20_000, dumps, Archive.NONE, false, keys);
    }

    /** A server of a follower's files. */
    static ServedBinlog copy(Path folder) {
        return new ServedBinlog(folder, 20_000, DUMPS, Archive.NONE, true);
    }

    private ServedBinlog(
            Path folder, long fileSize, DumpConfig dumps, Archive archive, boolean isCopy, String... keys) {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(fileSize));
        List<String> lines = new ArrayList<>(List.of("serve.user = reader", "serve.password = secret"));
        lines.addAll(List.of(keys));
        ServeConfig config = ServeSettings.of(lines.toArray(new String[0]));
        server = new BinlogServer(
                new ServeOptions(config, dumps, folder.resolve("serve"), "8.0.36-tributary", fileSize),
                new ServedContent(new ReadableFiles(files(), archive, isCopy), NodeTables.NONE, SchemaService.NONE),
                ServerListener.open(group, config.listen().resolve(), "there is no server"),
                Clock.SYSTEM,
                metrics);
    }

    BinlogFiles files() {
        return dumper.files();
    }

    int port() {
        return server.address().getPort();
    }

    EventLoopGroup group() {
        return group;
    }

    ServedBinlog write(int transactions) throws Exception {
        dumper.put(task.batch(transactions));
        return cut();
    }

    ServedBinlog writeLarge(int rows, int rowBytes) throws Exception {
        dumper.put(task.large(rows, rowBytes, 1 << 20));
        return cut();
    }

    private ServedBinlog cut() throws Exception {
        dumper.put(task.cut());
        dumper.run();
        return this;
    }

    /** Writes until there are that many files. */
    ServedBinlog fill(int count) throws Exception {
        while (files().list().size() < count) {
            write(10);
        }
        return this;
    }

    /** The value of a metric without labels, such as {@code tributary_serve_readers}. */
    double metric(String name) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "_total "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }

    @Override
    public void close() {
        server.close();
        dumper.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
