package io.tributary.bench.readers;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.bench.stage.Settings;
import io.tributary.bench.stage.StageThreads;
import io.tributary.bench.write.BatchFeed;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.write.BinlogPipeline;
import io.tributary.binlog.write.BinlogStart;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.mysql.protocol.server.ServerListener;
import io.tributary.serve.BinlogServer;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.ServeOptions;
import io.tributary.serve.ServedContent;
import io.tributary.serve.dump.DumpConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** A binlog in an empty folder that the bench writes on its own thread, and its server on measured threads. */
final class ServedTail implements AutoCloseable {
    private static final String USER = "reader";
    private static final String PASSWORD = "readers-bench";

    private final StageThreads threads = new StageThreads();
    private final EventLoopGroup group;
    private final Metrics metrics = new Metrics();
    private final Link<Chunk> link = new Link<>("chunks", 16, Clock.SYSTEM);
    private final BinlogDirectory directory;
    private final BinlogFiles files;
    private final BinlogPipeline pipeline;
    private final BinlogServer server;
    private final ByteBuffer batch;
    private final int[] lengths;
    private final int[] events;
    private long chunks;
    private long gno;

    /**
     * @param loops number of event loops of the server
     * @param transactions number of transactions of a batch; a cut becomes durable after each batch
     */
    ServedTail(Path folder, int loops, int transactions) {
        group = new MultiThreadIoEventLoopGroup(loops, threads.named("serve"), NioIoHandler.newFactory());
        BinlogConfig config =
                Settings.of(BinlogConfig.class, Map.of("binlog.directory", folder.toString(), "binlog.sync", "never"));
        directory = BinlogDirectory.open(config, Clock.SYSTEM);
        Recovered recovered = Recovery.run(directory, config, Clock.SYSTEM);
        files = recovered.files();
        pipeline = new BinlogPipeline(BinlogStart.of(config, directory, recovered), link, metrics);
        ServeConfig serve = Settings.of(
                ServeConfig.class,
                Map.of(
                        "serve.listen",
                        "127.0.0.1:0",
                        "serve.user",
                        USER,
                        "serve.password",
                        PASSWORD,
                        "serve.connections",
                        "10000"));
        DumpConfig dumps = Settings.of(DumpConfig.class, Map.of());
        server = new BinlogServer(
                new ServeOptions(serve, dumps, folder.resolve("serve"), "8.0.36-tributary", 1 << 20),
                ServedContent.of(files),
                ServerListener.open(group, serve.listen().resolve(), "expected a server, found none"),
                Clock.SYSTEM,
                metrics);
        batch = BatchFeed.batch(transactions, new Random(3));
        lengths = new int[transactions];
        Arrays.fill(lengths, BatchFeed.TRANSACTION);
        events = new int[transactions];
        Arrays.fill(events, BatchFeed.EVENTS);
    }

    BinlogFiles files() {
        return files;
    }

    Endpoint endpoint() {
        return plain("127.0.0.1", server.address().getPort(), USER, PASSWORD);
    }

    /** Without TLS, so that encryption is not measured. */
    static Endpoint plain(String host, int port, String user, String password) {
        return Endpoint.of(host, port, user, password).with(TlsMode.DISABLED);
    }

    /** The number of the last transaction. */
    long gno() {
        return gno;
    }

    /** The CPU of the server's event loops so far. */
    double serveSeconds() {
        return threads.usage().cpuSeconds("serve");
    }

    /** Writes a batch and waits until it may be read. */
    void write() throws Exception {
        gno = BatchFeed.number(batch, gno);
        link.put(new Chunk.Batch(++chunks, batch, lengths, events, () -> {}));
        link.put(new Chunk.CutMark(++chunks, BatchFeed.cut(chunks, gno)));
        while (files.durableEnd().gno() < gno) {
            for (Stage stage : pipeline.stages()) {
                stage.doWork();
            }
        }
    }

    /** Writes until the binlog has this many bytes. */
    ServedTail fill(long bytes) throws Exception {
        long batches = bytes / batch.capacity();
        for (long i = 0; i < batches; i++) {
            write();
        }
        return this;
    }

    @Override
    public void close() {
        server.close();
        group.shutdownGracefully().awaitUninterruptibly();
        pipeline.stages().forEach(Stage::close);
        pipeline.close();
        directory.close();
        metrics.close();
        threads.close();
    }
}
