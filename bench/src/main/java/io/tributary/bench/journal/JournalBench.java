package io.tributary.bench.journal;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.stage.Settings;
import io.tributary.bench.stage.StageThreads;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.BinlogPipeline;
import io.tributary.binlog.write.BinlogStart;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Put;
import io.tributary.common.value.JournalCodec;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.CreateTable;
import io.tributary.store.JournalMap;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Bench of the journal of very many tables: a Dumper writes it with a snapshot and starts again; a Task receives the table map as messages of the
 * stream. The network between the two is not included.
 */
@Command(
        name = JournalBench.NAME,
        description = "The definitions of 480,000 tables of 10 columns: bytes in the binlog, and the time of a start.")
public final class JournalBench implements Benchmark {
    static final String NAME = "journal";
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int TABLES_IN_A_CHANGE = 1000;
    private static final int COLUMNS = 9; // and one key column
    private static final List<String> TYPES = List.of(
            "BIGINT UNSIGNED NOT NULL",
            "ENUM('new','paid','sent','closed') NOT NULL DEFAULT 'new'",
            "DECIMAL(12,2) NOT NULL DEFAULT 0.00",
            "VARCHAR(255) DEFAULT NULL",
            "JSON DEFAULT NULL",
            "TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP",
            "INT NOT NULL DEFAULT 0",
            "CHAR(3) NOT NULL DEFAULT 'EUR'");
    private static final double MIB = 1 << 20;
    private static final double MOST_BYTES = 100e6;
    private static final double MOST_SECONDS = 10;
    private static final double MOST_HEAP = 64;

    @Option(names = "--tables", defaultValue = "480000", description = "Number of tables; default ${DEFAULT-VALUE}.")
    private int tables;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        List<Double> sizes = new ArrayList<>();
        List<Double> recoveries = new ArrayList<>();
        List<Double> starts = new ArrayList<>();
        List<Double> heaps = new ArrayList<>();
        for (int i = 0; i < options.runs(1); i++) {
            Path folder = BenchFolder.of(NAME);
            Folders.delete(folder);
            Files.createDirectories(folder);
            BinlogConfig config = Settings.of(
                    BinlogConfig.class,
                    Map.of("binlog.directory", folder.resolve("binlog").toString(), "binlog.sync", "never"));
            sizes.add(write(config) / 1e6);
            long heapBefore = liveHeap();
            long begin = Clock.SYSTEM.nanoTime();
            try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
                Recovered recovered = Recovery.run(directory, config, Clock.SYSTEM);
                recoveries.add(secondsSince(begin));
                begin = Clock.SYSTEM.nanoTime();
                try (JournalMap task = JournalMap.at(folder.resolve("task"))) {
                    directory.journal().snapshot().forEachRemaining(part -> task.fold(received(part)));
                    requireAll(task, recovered);
                    starts.add(secondsSince(begin));
                    heaps.add((liveHeap() - heapBefore) / MIB);
                }
            }
        }
        return List.of(
                Figure.of(NAME, "snapshot in the binlog", "MB", sizes).aiming(Target.atMost(MOST_BYTES / 1e6)),
                Figure.of(NAME, "start of a Dumper", "s", recoveries).aiming(Target.atMost(MOST_SECONDS)),
                Figure.of(NAME, "start of a Task", "s", starts).aiming(Target.atMost(MOST_SECONDS)),
                Figure.of(NAME, "live heap of both", "MiB", heaps).aiming(Target.atMost(MOST_HEAP)));
    }

    /** A part of the map, decoded from a message. */
    private static Journal received(Journal part) {
        return JournalCodec.decode(ByteBuffer.wrap(JournalCodec.encode(part)));
    }

    private static void requireAll(JournalMap task, Recovered recovered) {
        if (!task.isWhole() || task.number() != recovered.cut().schemaNumber()) {
            throw new IllegalStateException(
                    "expected change " + recovered.cut().schemaNumber() + ", found " + task.number());
        }
    }

    /** Writes the changes, then a file that begins with a snapshot; returns the bytes of this file. */
    private long write(BinlogConfig config) throws IOException {
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            Recovered recovered = Recovery.run(directory, config, Clock.SYSTEM);
            BinlogFiles files = recovered.files();
            Link<Chunk> link = new Link<>("chunks", 128, 16 << 20, Chunk::bytes, Clock.SYSTEM);
            try (Metrics metrics = new Metrics();
                    BinlogPipeline pipeline =
                            new BinlogPipeline(BinlogStart.of(config, directory, recovered), link, metrics);
                    StageThreads threads = new StageThreads()) {
                threads.alone(new JournalFeed(link, changes()));
                pipeline.stages().forEach(threads::alone);
                threads.start();
                Await.until("the changes to be written", LIMIT, () -> {
                    threads.check();
                    return files.durableEnd().gno() == 1;
                });
                BinlogFile before = files.durableEnd().file();
                files.requestRotation();
                Await.until("the next file", LIMIT, () -> {
                    threads.check();
                    return files.durableEnd().file() != before;
                });
                BinlogFile next = files.durableEnd().file();
                files.purgeTo(next.name());
                Await.until("a snapshot", LIMIT, () -> {
                    threads.check();
                    return files.firstNeeded() > before.number();
                });
                files.purgeTo(next.name());
                return files.durableEnd().file().end();
            }
        }
    }

    private Iterator<Journal> changes() {
        return new Iterator<>() {
            private int made;
            private long number;

            @Override
            public boolean hasNext() {
                return made < tables;
            }

            @Override
            public Journal next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                List<Put> puts = new ArrayList<>();
                while (hasNext() && puts.size() < TABLES_IN_A_CHANGE) {
                    puts.add(table(made++));
                }
                return Journal.change(++number, puts, List.of());
            }
        };
    }

    /** A table with ten columns of random names, types and defaults, a primary key and two more keys. */
    private static Put table(int number) {
        Random random = new Random(number);
        String name = word(random) + "_" + word(random) + "_" + number;
        StringBuilder text =
                new StringBuilder("CREATE TABLE " + name + " (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY");
        for (int i = 1; i < COLUMNS; i++) {
            text.append(", ").append(column(i, random)).append(' ').append(TYPES.get(random.nextInt(TYPES.size())));
            if (random.nextInt(4) == 0) {
                text.append(" COMMENT '")
                        .append(word(random))
                        .append(' ')
                        .append(word(random))
                        .append('\'');
            }
        }
        text.append(", k INT, KEY ")
                .append(word(random))
                .append(" (k, id), KEY of_k (k)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4");
        TableDefinition definition = DefinitionReader.create(
                        text.toString(), ReadSession.standard("shop"), other -> Optional.empty())
                .orElseThrow();
        return new Put("d\0shop\0" + name, CreateTable.text(definition).getBytes(StandardCharsets.UTF_8));
    }

    private static String column(int number, Random random) {
        return word(random) + "_" + word(random) + number;
    }

    /** One of 10,000 words. */
    private static String word(Random random) {
        Random letters = new Random(random.nextInt(10_000));
        StringBuilder word = new StringBuilder();
        for (int i = 3 + letters.nextInt(6); i > 0; i--) {
            word.append((char) ('a' + letters.nextInt(26)));
        }
        return word.toString();
    }

    private static double secondsSince(long begin) {
        return (Clock.SYSTEM.nanoTime() - begin) / 1e9;
    }

    private static long liveHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
