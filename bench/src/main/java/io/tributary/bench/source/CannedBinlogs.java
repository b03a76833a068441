package io.tributary.bench.source;

import io.tributary.testkit.server.CacheFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The canned binlogs of a number of shards in the user's cache: originals that real MySQL servers write at the first use, and truncated copies
 * of them if more or smaller ones are needed.
 */
public final class CannedBinlogs {
    /** Increased when the load of the servers changes. */
    private static final String EDITION = "1";

    private static final int STOCK_SHARDS = 4;
    private static final int STOCK_MIB = 256;
    /** Below this size, for tests, servers write exactly the requested size. */
    private static final int SMALLEST_COPY_MIB = 8;

    private CannedBinlogs() {}

    /**
     * One binlog for each shard.
     *
     * @param shards number of shards
     * @param mib minimum size of each; the real size is some KiB larger
     */
    public static List<CannedBinlog> of(int shards, int mib) {
        boolean isSmall = mib < SMALLEST_COPY_MIB;
        if (isSmall || shards <= STOCK_SHARDS && mib >= STOCK_MIB) {
            return opened(made(isSmall ? shards : STOCK_SHARDS, mib), shards);
        }
        Path stock = made(STOCK_SHARDS, Math.max(mib, STOCK_MIB));
        Path copies = CacheFolder.ofUser().entry(name("copies", shards, mib), place -> copy(stock, place, shards, mib));
        return opened(copies, shards);
    }

    private static List<CannedBinlog> opened(Path folder, int shards) {
        return IntStream.rangeClosed(1, shards)
                .mapToObj(shard -> CannedBinlog.open(folder, "s" + shard))
                .toList();
    }

    private static String name(String what, int shards, int mib) {
        return "bench-" + what + "-" + shards + "x" + mib + "MiB-" + EDITION;
    }

    private static Path made(int shards, int mib) {
        return CacheFolder.ofUser().entry(name("inserts", shards, mib), place -> make(place, shards, mib));
    }

    private static void make(Path folder, int shards, int mib) throws IOException {
        System.err.println("Writing " + shards + " binlogs of " + mib + " MiB each with real MySQL servers, once");
        try (InsertFactory factory = new InsertFactory(folder, shards, (long) mib << 20)) {
            factory.make();
        } catch (SQLException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void copy(Path stock, Path folder, int shards, int mib) throws IOException {
        Files.createDirectories(folder);
        List<CannedBinlog> originals = opened(stock, STOCK_SHARDS);
        for (int shard = 1; shard <= shards; shard++) {
            String name = "s" + shard;
            UUID uuid = UUID.nameUUIDFromBytes(("bench " + name).getBytes(StandardCharsets.UTF_8));
            new CannedCopy(originals.get((shard - 1) % STOCK_SHARDS), uuid)
                    .write(folder.resolve(name + ".binlog"), (long) mib << 20);
            Files.writeString(folder.resolve(name + ".uuid"), uuid.toString());
        }
    }
}
