package io.tributary.bench.source;

import io.tributary.testkit.server.CacheFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** The canned binlogs of a number of shards, made by real MySQL servers at first use and then kept in the user's cache. */
public final class CannedBinlogs {
    /** Raised whenever what the servers are told to do changes. */
    private static final String EDITION = "1";

    private CannedBinlogs() {}

    /**
     * One binlog for each shard.
     *
     * @param shards how many
     * @param mib size of each at least; a few KiB more
     */
    public static List<CannedBinlog> of(int shards, int mib) {
        String name = "bench-inserts-" + shards + "x" + mib + "MiB-" + EDITION;
        Path folder = CacheFolder.ofUser().entry(name, place -> make(place, shards, mib));
        return IntStream.rangeClosed(1, shards)
                .mapToObj(shard -> CannedBinlog.open(folder, "s" + shard))
                .toList();
    }

    private static void make(Path folder, int shards, int mib) throws IOException {
        System.out.println("Making " + shards + " binlogs of " + mib + " MiB each with real MySQL servers, once");
        try (InsertFactory factory = new InsertFactory(folder, shards, (long) mib << 20)) {
            factory.make();
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
