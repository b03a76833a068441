package io.tributary.system;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** MySQL's own mysqlbinlog as a reader of the node; it writes the files that it receives into a folder. */
final class RemoteReader implements AutoCloseable {
    private final Path folder;
    private final ChildProcess process;

    private RemoteReader(Path folder, ChildProcess process) {
        this.folder = folder;
        this.process = process;
    }

    /** Begins to copy this file and all later ones, and continues while they grow. */
    static RemoteReader follow(LocalCluster cluster, Path folder, String file) {
        List<String> command = command(cluster, folder, List.of("--raw", "--stop-never", file));
        return new RemoteReader(folder, ChildProcess.start(command, folder.resolve("mysqlbinlog.log")));
    }

    /** Reads by file and position to the end of the last file, and ends; returns its output and its status. */
    static MysqlTools.Outcome readByPosition(LocalCluster cluster, Path folder, String... options) {
        return MysqlTools.run(toTheEnd(cluster, folder, options));
    }

    /** As above by GTID set: the options contain {@code --exclude-gtids} and a file name, which mysqlbinlog requires. */
    static MysqlTools.Outcome readByGtid(LocalCluster cluster, Path folder, String... options) {
        List<String> command = new ArrayList<>(toTheEnd(cluster, folder, options));
        command.replaceAll(option ->
                option.equals("--read-from-remote-server") ? "--read-from-remote-source=BINLOG-DUMP-GTIDS" : option);
        return MysqlTools.run(command);
    }

    private static List<String> toTheEnd(LocalCluster cluster, Path folder, String... options) {
        List<String> more = new ArrayList<>(List.of("--raw", "--to-last-log"));
        more.addAll(List.of(options));
        return command(cluster, folder, more);
    }

    private static List<String> command(LocalCluster cluster, Path folder, List<String> more) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> all = new ArrayList<>(List.of("--result-file=" + folder + "/"));
        all.addAll(more);
        return MysqlTools.cached()
                .remoteBinlog(
                        cluster.servePort(),
                        LocalCluster.READER.name(),
                        LocalCluster.READER.password(),
                        all.toArray(String[]::new));
    }

    /** The files that a reader wrote, oldest first. */
    static List<Path> files(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<BinlogTransaction> transactions(Path folder) throws IOException {
        return BinlogReader.ofFiles(files(folder)).all();
    }

    /** Waits until it has all of the node's files, which must not grow. */
    void awaitAll(Path original) {
        Await.until(() -> "a whole copy of " + original + "; " + log(), Invariants.LIMIT, () -> {
            List<Path> own = files(folder);
            List<Path> originals = files(original);
            return !own.isEmpty()
                    && own.size() == originals.size()
                    && Files.size(own.get(own.size() - 1)) >= Files.size(originals.get(originals.size() - 1));
        });
    }

    /** Waits until it ends, which it does when its connection is lost: then its files contain all that it received. */
    void awaitEnd() {
        if (!process.awaitExit(Duration.ofMinutes(1))) {
            throw new AssertionError("mysqlbinlog still runs after the end of the node; " + log());
        }
    }

    /** I8: fails unless each file that a reader wrote has the same bytes as the beginning of the original. */
    static void assertServedFrom(Path copies, Path original) throws IOException {
        for (Path copy : files(copies)) {
            Path source = original.resolve(copy.getFileName());
            long mismatch = Files.mismatch(copy, source);
            if (mismatch >= 0 && mismatch < Files.size(copy)) {
                throw new AssertionError("I8 served bytes: " + copy + " (" + Files.size(copy) + " bytes) differs from "
                        + source + " (" + Files.size(source) + " bytes) at " + mismatch);
            }
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("mysqlbinlog.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
