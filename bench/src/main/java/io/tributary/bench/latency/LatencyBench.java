package io.tributary.bench.latency;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.bench.Benchmark;
import io.tributary.bench.Distribution;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of the latency: three real shards, one of them idle, a node with defaults, a constant load, and readers of the shards and of the node. */
@Command(
        name = LatencyBench.NAME,
        description = "From a commit on a shard to its arrival at a reader of the node; 3 shards, one idle.")
public final class LatencyBench implements Benchmark {
    static final String NAME = "latency";

    private static final String PEER = "dump of the shard itself";
    private static final int SHARDS = 3;
    private static final int BUSY = 2;
    private static final int WARM_UP_SECONDS = 10;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long PAUSE_NANOS = 50_000;

    @Option(names = "--rate", defaultValue = "500", description = "Transactions per second; default ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--seconds", defaultValue = "20", description = "Seconds of a run; default ${DEFAULT-VALUE}.")
    private int seconds;

    @Override
    public List<Figure> run(RunOptions options) throws Exception {
        int window = rate * seconds;
        int runs = options.runs(3);
        int warmUp = rate * WARM_UP_SECONDS;
        CommitTimes times = new CommitTimes(warmUp + runs * window);
        Path folder = Files.createDirectories(NodeProcess.projectHome().resolve("bench/target/latency"));
        Folders.delete(folder);
        Files.createDirectories(folder);
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("bench-load", true), NioIoHandler.newFactory());
        try (LocalCluster cluster = LocalCluster.withShards(folder, SHARDS)) {
            cluster.node().start();
            measure(cluster, new MysqlClient(loop), times, rate);
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            Folders.delete(folder);
        }
        return figures(times, warmUp, window, runs);
    }

    private static void measure(LocalCluster cluster, MysqlClient client, CommitTimes times, int rate)
            throws SQLException {
        List<MysqlServer> busy = cluster.shards().subList(0, BUSY);
        for (MysqlServer shard : busy) {
            shard.execute(
                    "CREATE DATABASE latency",
                    "CREATE TABLE latency.commits (number INT PRIMARY KEY, body VARCHAR(100) NOT NULL)");
        }
        cluster.awaitAllWritten(LIMIT);
        List<ArrivalReader> readers = new ArrayList<>();
        try (CommitLoad load = new CommitLoad(client, busy, times, rate)) {
            Endpoint node = Endpoint.of(
                    "127.0.0.1", cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password());
            readers.add(new ArrivalReader(client, node, GtidSet.parse(cluster.gtidExecuted()), 901, times::arrived));
            for (MysqlServer shard : busy) {
                readers.add(new ArrivalReader(
                        client,
                        Endpoint.of(shard.host(), shard.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD),
                        GtidSet.parse(shard.gtidExecuted()),
                        902,
                        times::arrivedDirectly));
            }
            drive(load, readers, times);
        } finally {
            readers.forEach(ArrivalReader::close);
        }
    }

    /** One thread begins transactions and processes arrivals. It pauses for {@link #PAUSE_NANOS} if there is nothing to do. */
    private static void drive(CommitLoad load, List<ArrivalReader> readers, CommitTimes times) {
        long deadline = 0;
        while (true) {
            int done = load.poll();
            for (ArrivalReader reader : readers) {
                done += reader.poll();
            }
            if (done > 0) {
                continue;
            }
            if (load.isDone()) {
                if (times.isComplete(times.transactions())) {
                    return;
                }
                deadline = deadline == 0 ? Clock.SYSTEM.nanoTime() + LIMIT.toNanos() : deadline;
                if (Clock.SYSTEM.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("not all transactions arrived");
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private List<Figure> figures(CommitTimes times, int warmUp, int window, int runs) {
        List<Figure> figures = new ArrayList<>();
        double[] shares = {0.5, 0.99, 1};
        String[] names = {"p50", "p99", "max"};
        for (int i = 0; i < shares.length; i++) {
            double share = shares[i];
            BiFunction<Integer, Integer, Distribution> node = times::throughNode;
            BiFunction<Integer, Integer, Distribution> direct = times::direct;
            figures.add(Figure.of(NAME, names[i], "ms", values(node, share, warmUp, window, runs))
                    .beside(PEER, values(direct, share, warmUp, window, runs)));
        }
        for (int i = 0; i < 2; i++) {
            figures.add(Figure.of(
                    NAME,
                    names[i] + " from the shard's OK",
                    "ms",
                    values(times::afterAcknowledgement, shares[i], warmUp, window, runs)));
        }
        System.out.printf(
                Locale.ROOT, "%d transactions in each of %d windows, after %d to warm up%n", window, runs, warmUp);
        return figures;
    }

    private static List<Double> values(
            BiFunction<Integer, Integer, Distribution> part, double share, int warmUp, int window, int runs) {
        List<Double> values = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            int from = warmUp + run * window;
            values.add(part.apply(from, from + window).quantile(share));
        }
        return values;
    }
}
