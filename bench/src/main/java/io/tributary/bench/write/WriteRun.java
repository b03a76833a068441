package io.tributary.bench.write;

import io.tributary.bench.TimedCommand;
import io.tributary.bench.stage.Settings;
import io.tributary.bench.stage.StageThreads;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.binlog.write.BinlogPipeline;
import io.tributary.binlog.write.BinlogStart;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run that writes transactions to binlog files in an empty folder until they are durable. */
final class WriteRun {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int LINK_CHUNKS = 128;
    private static final long LINK_BYTES = 16 << 20;

    private final Path folder;
    private final long transactions;

    /**
     * The setup of the stages.
     *
     * @param sync binlog.sync
     * @param workers binlog.patch.workers
     * @param shared whether layout and patching share a thread, as in a node on few cores
     */
    record Setup(BinlogSync sync, int workers, boolean shared) {
        @Override
        public String toString() {
            String threads =
                    shared ? "layout and worker on one thread" : workers == 1 ? "1 worker" : workers + " workers";
            return "sync=" + syncName() + ", " + threads;
        }

        private String syncName() {
            return sync.name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The result of one run.
     *
     * @param bytes size of all files
     * @param usage usage of the stages' threads
     */
    record Outcome(long bytes, long events, double seconds, StageThreads.Usage usage) {
        double mib() {
            return bytes / 1048576.0;
        }

        /** The CPU of all stages except the feed. */
        double cpuSeconds() {
            return usage.cpuSeconds("write");
        }

        /** The CPU of layout and workers, without writer and syncer, which are nearly always in the kernel. */
        double ownCpuSeconds() {
            return usage.cpuSeconds("write-") - usage.cpuSeconds("write-sync");
        }
    }

    WriteRun(Path folder, long transactions) {
        this.folder = folder;
        this.transactions = transactions;
    }

    Outcome run(Setup setup) throws IOException {
        Folders.delete(folder);
        Files.createDirectories(folder);
        BinlogConfig config = config(setup);
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            Recovered recovered = Recovery.run(directory, config, Clock.SYSTEM);
            Link<Chunk> link = new Link<>("chunks", LINK_CHUNKS, LINK_BYTES, Chunk::bytes, Clock.SYSTEM);
            BatchFeed feed = new BatchFeed(link, transactions);
            try (Metrics metrics = new Metrics();
                    BinlogPipeline pipeline =
                            new BinlogPipeline(BinlogStart.of(config, directory, recovered), link, metrics)) {
                return run(setup, pipeline, feed, recovered);
            }
        }
    }

    private Outcome run(Setup setup, BinlogPipeline pipeline, BatchFeed feed, Recovered recovered) {
        try (StageThreads threads = new StageThreads()) {
            threads.alone(feed);
            if (setup.shared()) {
                threads.together(pipeline.computing());
                pipeline.waiting().forEach(threads::alone);
            } else {
                pipeline.stages().forEach(threads::alone);
            }
            long begin = Clock.SYSTEM.nanoTime();
            threads.start();
            Await.until("all transactions to be written", LIMIT, () -> {
                threads.check();
                return recovered.files().durableEnd().gno() == feed.transactions();
            });
            double seconds = (Clock.SYSTEM.nanoTime() - begin) / 1e9;
            long bytes =
                    recovered.files().list().stream().mapToLong(BinlogFile::end).sum();
            return new Outcome(bytes, feed.transactions() * BatchFeed.EVENTS, seconds, threads.usage());
        }
    }

    /** Copies the files of the last run by {@code dd}, one after another; with a force to disk if requested. */
    TimedCommand dd(boolean forced) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "binlog.0*")) {
            files.forEach(file -> {
                if (!file.toString().endsWith(".idx")) {
                    sources.add(file);
                }
            });
        }
        Path copies = folder.resolveSibling("dd");
        Folders.delete(copies);
        Files.createDirectories(copies);
        TimedCommand all = new TimedCommand(0, 0, 0);
        for (Path source : sources) {
            List<String> command = new ArrayList<>(List.of(
                    "dd", "if=" + source, "of=" + copies.resolve(source.getFileName()), "bs=256K", "status=none"));
            if (forced) {
                command.add("conv=fdatasync");
            }
            all = all.and(TimedCommand.run(command));
        }
        Folders.delete(copies);
        return all;
    }

    private BinlogConfig config(Setup setup) {
        return Settings.of(
                BinlogConfig.class,
                Map.of(
                        "binlog.directory", folder.toString(),
                        "binlog.sync", setup.syncName(),
                        "binlog.patch.workers", Integer.toString(setup.workers())));
    }
}
