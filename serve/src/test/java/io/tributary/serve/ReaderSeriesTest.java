package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which readers have series, and how long they are connected. */
@Timeout(60)
class ReaderSeriesTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int WAITS = 2;
    private static final int ENDS = 1 | WAITS;
    private static final Pattern SERIES = Pattern.compile(
            "(?m)^tributary_serve_reader_(lag_bytes|connected_seconds)\\{reader=\"([^\"]*)\",user=\"reader\"} (\\S+)$");

    /** mysqlbinlog ends when it has everything, and a reader without an identity cannot be missed: an alarm about lost readers would be false. */
    @Test
    void onlyReadersThatWaitForMoreAndHaveAnIdentityAreCountedAsConnected(@TempDir Path folder) throws Exception {
        try (ServedBinlog binlog = new ServedBinlog(folder, ServedBinlog.DUMPS).writeLarge(24, 1 << 20);
                WireReader replica = WireReader.of(binlog.port()).dumpGtid(WAITS, 7, "", new byte[0]);
                WireReader ends = WireReader.of(binlog.port()).dumpGtid(ENDS, 8, "", new byte[0]);
                WireReader nameless = WireReader.of(binlog.port()).dumpGtid(WAITS, 0, "", new byte[0])) {
            assertEquals(0, ends.next().kind(), "it has begun, and reads no further than that");
            assertEquals(0, nameless.next().kind());
            replica.untilGno(binlog.task.gno());
            Await.until(
                    () -> binlog.metrics.scrape(),
                    LIMIT,
                    () -> series(binlog, "lag_bytes").keySet().equals(Set.of("id 7", "id 8", "other")));
            assertEquals(Set.of("id 7"), series(binlog, "connected_seconds").keySet());

            Await.until(
                    () -> "a time that grows",
                    LIMIT,
                    () -> series(binlog, "connected_seconds").get("id 7") > 0.3);
            double before = series(binlog, "connected_seconds").get("id 7");
            try (WireReader again = WireReader.of(binlog.port()).dumpGtid(WAITS, 7, "", new byte[0])) {
                again.untilGno(binlog.task.gno());
                double after = series(binlog, "connected_seconds").get("id 7");
                assertTrue(after >= before, "a connection that replaces its earlier one: " + before + ", " + after);
            }
            Await.until(
                    () -> "no reader that is connected: " + series(binlog, "connected_seconds"),
                    LIMIT,
                    () -> series(binlog, "connected_seconds").isEmpty());
        }
    }

    private static Map<String, Double> series(ServedBinlog binlog, String metric) {
        Map<String, Double> values = new TreeMap<>();
        Matcher line = SERIES.matcher(binlog.metrics.scrape());
        while (line.find()) {
            if (line.group(1).equals(metric)) {
                values.put(line.group(2), Double.parseDouble(line.group(3)));
            }
        }
        return values;
    }
}
