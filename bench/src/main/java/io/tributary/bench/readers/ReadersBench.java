package io.tributary.bench.readers;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.write.BatchFeed;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of readers of the server: one that catches up, compared with a real mysqld with the same files; many at the end; many idle ones. */
@Command(
        name = ReadersBench.NAME,
        description = "One reader, compared with a real mysqld with the same files; 1, 20 and 100 readers at the end;"
                + " idle readers.")
public final class ReadersBench implements Benchmark {
    static final String NAME = "readers";

    private static final int LOOPS = 2; // as a node on two cores has
    private static final List<Integer> COUNTS = List.of(1, 20, 100);
    private static final long SMALLEST_FILE = 512L << 20; // of the default configuration

    @Option(
            names = "--mib",
            defaultValue = "1100",
            description = "MiB that one reader reads, at least two files of 512 MiB; default ${DEFAULT-VALUE}.")
    private int mib;

    @Option(
            names = "--transactions",
            defaultValue = "16",
            description = "Transactions of 1000 bytes in a batch at the end; default ${DEFAULT-VALUE}.")
    private int transactions;

    @Option(
            names = "--batches",
            defaultValue = "400",
            description = "Batches of a run at the end, at most 128 per second; default ${DEFAULT-VALUE}.")
    private int batches;

    @Option(names = "--idle", defaultValue = "1000", description = "Idle readers; default ${DEFAULT-VALUE}.")
    private int idle;

    @Override
    public List<Figure> run(RunOptions options) throws Exception {
        Path folder = BenchFolder.of(NAME);
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("bench-readers", true), NioIoHandler.newFactory());
        MysqlClient client = new MysqlClient(loop);
        List<Figure> figures = new ArrayList<>();
        Folders.delete(folder);
        try {
            figures.addAll(tail(Files.createDirectories(folder.resolve("tail")), client, options.runs(3)));
            figures.add(catchUp(Files.createDirectories(folder.resolve("whole")), client, options.runs(3)));
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            Folders.delete(folder);
        }
        return figures;
    }

    private List<Figure> tail(Path folder, MysqlClient client, int runs) throws Exception {
        List<Figure> figures = new ArrayList<>();
        try (ServedTail tail = new ServedTail(folder, LOOPS, transactions)) {
            tail.write();
            try (Followers warmUp = new Followers(tail, client, 20)) {
                warmUp.run(2000, 0);
            }
            List<Double> alone = new ArrayList<>();
            for (int count : COUNTS) {
                List<Double> cpu = new ArrayList<>();
                List<Double> latency = new ArrayList<>();
                for (int run = 0; run < runs; run++) {
                    try (Followers readers = new Followers(tail, client, count)) {
                        Followers.Outcome outcome = readers.run(batches, TimeUnit.SECONDS.toNanos(1) / 128);
                        cpu.add(outcome.cpuMicros());
                        latency.add(outcome.latencyMillis());
                        System.out.printf(
                                Locale.ROOT,
                                "%d readers: %.0f us of CPU per MiB and reader, %.3f ms%n",
                                count,
                                outcome.cpuMicros(),
                                outcome.latencyMillis());
                    }
                }
                Figure each = Figure.of(NAME, "CPU per MiB and reader, " + count + " at the tail", "us", cpu);
                if (count == 1) {
                    alone.addAll(cpu);
                    figures.add(each);
                } else {
                    figures.add(each.beside("one reader", alone).aiming(Target.atMostOfPeer(0.5)));
                }
                figures.add(Figure.of(NAME, "p50 from durable, " + count + " at the tail", "ms", latency)
                        .aiming(Target.atMost(1)));
            }
            double kib = IdleReaders.kibEach(tail, idle);
            figures.add(Figure.of(NAME, "resident for an idle reader", "KiB", List.of(kib))
                    .aiming(Target.atMost(64)));
        }
        return figures;
    }

    private Figure catchUp(Path folder, MysqlClient client, int runs) throws Exception {
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        int batch = (256 << 10) / BatchFeed.TRANSACTION;
        try (ServedTail tail = new ServedTail(folder, LOOPS, batch).fill((long) mib << 20);
                MysqlServer peer = MysqlServer.start("readers-peer")) {
            List<BinlogFile> finished =
                    tail.files().list().stream().filter(BinlogFile::isFinished).toList();
            String first = finished.get(0).name();
            CatchUp.handOver(finished, peer);
            Endpoint real = ServedTail.plain(peer.host(), peer.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
            for (int run = 0; run <= runs; run++) {
                double our = CatchUp.mibPerSecond(client, tail.endpoint(), first, SMALLEST_FILE);
                double their = CatchUp.mibPerSecond(client, real, first, SMALLEST_FILE);
                System.out.printf(Locale.ROOT, "one reader: %.0f MiB/s, mysqld: %.0f MiB/s%n", our, their);
                if (run > 0) { // the first warms up
                    ours.add(our);
                    theirs.add(their);
                }
            }
        }
        return Figure.of(NAME, "one reader that catches up", "MiB/s", ours)
                .beside("mysqld", theirs)
                .aiming(Target.atLeastOfPeer(1));
    }
}
