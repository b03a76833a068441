package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.io.LittleEndian;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.OddTransactions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with rows as large as a server writes them, which pass a node with a heap of 256 MiB and are read by mysqlbinlog. The largest row needs GiBs
 * of memory and disk; its test runs only with {@code -Dtributary.large=true}.
 */
class HugeRowIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int MAGIC = 4;
    private static final int HEADER = 19;
    private static final int SIZE_AT = 9;
    private static final int CHECKSUM = 4;

    @TempDir
    private Path folder;

    @Test
    void aRowOf200MebibytesIsWrittenUnchanged() throws Exception {
        assertWrittenUnchanged(200, 512, 1100);
    }

    @Test
    @EnabledIfSystemProperty(named = "tributary.large", matches = "true")
    void aRowOf1000MebibytesIsWrittenUnchanged() throws Exception {
        assertWrittenUnchanged(1000, 1536, 2400);
    }

    /**
     * Writes the row, and reads it with another program.
     *
     * @param directMib off-heap memory of the node, MiB: it holds a whole event of a shard for a moment
     * @param mostMib the most memory that the node may use at any time, MiB
     */
    private void assertWrittenUnchanged(int mebibytes, int directMib, int mostMib) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, 1)) {
            cluster.node()
                    .with("TRIBUTARY_HEAP", "256m")
                    .with("TRIBUTARY_DIRECT", directMib + "m")
                    .start();
            OddTransactions odd = new OddTransactions(cluster.shards());
            odd.prepare();
            odd.hugeRow(0, mebibytes);
            cluster.awaitAllWritten(LIMIT);

            MysqlTools.Outcome read = RemoteReader.readByPosition(cluster, folder.resolve("copy"), "binlog.000001");
            assertEquals(0, read.status(), read.output());
            Path largest = null;
            for (Path copied : RemoteReader.files(folder.resolve("copy"))) {
                Path original = cluster.binlogFolder().resolve(copied.getFileName());
                long mismatch = Files.mismatch(original, copied);
                assertTrue(mismatch < 0 || mismatch >= Files.size(copied), copied + " differs at " + mismatch);
                largest = largest == null || Files.size(copied) > Files.size(largest) ? copied : largest;
            }
            String expected = cluster.shards().get(0).text("SELECT SHA2(body, 256) FROM odd.body");
            assertEquals(expected, hashOfLargestRow(largest, (long) mebibytes << 20));
            long peak = peakMib(cluster.node().process().pid());
            assertTrue(peak < mostMib, "the node used " + peak + " MiB of memory");
            System.out.println("a row of " + mebibytes + " MiB: the node used at most " + peak + " MiB of memory");
        }
    }

    /** The value is the last column of the only row of the largest event. */
    private static String hashOfLargestRow(Path file, long valueBytes) throws Exception {
        try (FileChannel channel = FileChannel.open(file)) {
            long at = MAGIC;
            long bestEnd = 0;
            long bestSize = 0;
            while (at < channel.size()) {
                long size = size(channel, at);
                if (size > bestSize) {
                    bestSize = size;
                    bestEnd = at + size;
                }
                at += size;
            }
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(channel.map(FileChannel.MapMode.READ_ONLY, bestEnd - CHECKSUM - valueBytes, valueBytes));
            return HexFormat.of().formatHex(sha.digest());
        }
    }

    private static long size(FileChannel channel, long at) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        channel.read(header, at);
        return LittleEndian.getU32(header, SIZE_AT);
    }

    private static long peakMib(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }
}
