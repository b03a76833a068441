package io.tributary.bench.readers;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** One reader of a whole binlog, from our server and from a real mysqld with the same files. */
final class CatchUp {
    private static final long PAUSE_NANOS = 20_000;

    private CatchUp() {}

    /**
     * Adds these files to a stopped server as its oldest ones and starts it again.
     *
     * @param copies all files except the last, which is not finished
     */
    static void handOver(List<BinlogFile> copies, MysqlServer peer) throws IOException {
        peer.stop();
        Path data = peer.dataFolder();
        try (var old = Files.newDirectoryStream(data, "binlog.*")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        StringBuilder index = new StringBuilder();
        for (BinlogFile file : copies) {
            Files.copy(file.path(), data.resolve(file.name()));
            index.append("./").append(file.name()).append('\n');
        }
        Files.writeString(data.resolve("binlog.index"), index, StandardOpenOption.CREATE);
        peer.restart();
    }

    /** Reads from the first file to the end; returns MiB of events per second. */
    static double mibPerSecond(MysqlClient client, Endpoint endpoint, String first, long atLeast) {
        long begin = Clock.SYSTEM.nanoTime();
        try (Reader reader = Reader.toTheEnd(client, endpoint, first)) {
            while (reader.isOpen()) {
                if (reader.poll() == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
            double seconds = (Clock.SYSTEM.nanoTime() - begin) / 1e9;
            if (reader.bytes() < atLeast) {
                throw new IllegalStateException(
                        "expected at least " + atLeast + " bytes, found " + reader.bytes() + " from " + endpoint);
            }
            return reader.bytes() / 1048576.0 / seconds;
        }
    }
}
