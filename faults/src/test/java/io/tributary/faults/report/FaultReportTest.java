package io.tributary.faults.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultReportTest {
    private static FaultLine line(long lost, String... wrong) {
        List<Duration> served = List.of(Duration.ofMillis(900), Duration.ofMillis(300), Duration.ofMillis(500));
        return new FaultLine(
                "split", "kill-task", "kill -9", 70, lost, 0, 0, served, served, 13, List.of(wrong), Optional.empty());
    }

    @Test
    void percentilesAreByNearestRank() {
        List<Duration> hundred =
                LongStream.rangeClosed(1, 100).mapToObj(Duration::ofMillis).toList();
        assertEquals(50, FaultLine.percentile(hundred, 0.5));
        assertEquals(99, FaultLine.percentile(hundred, 0.99));
        assertEquals(7, FaultLine.percentile(List.of(Duration.ofMillis(7)), 0.99));
        assertEquals(-1, FaultLine.percentile(List.of(), 0.5));
    }

    @Test
    void aLossOrAViolationFails() throws Exception {
        assertTrue(line(0).passed());
        assertFalse(line(1).passed());
        assertFalse(line(0, "I8 served bytes: 1 wrong").passed());
        assertTrue(
                FaultLine.skipped("split", "kill-relay", "kill -9", "no relay").passed());
    }

    @Test
    void bothFilesHaveTheSameContent(@TempDir Path folder) throws Exception {
        FaultReport report = new FaultReport(folder, 7, "no network namespaces");
        report.add(line(0));
        report.add(FaultLine.skipped("split", "kill-relay", "kill -9", "no such process"));
        assertTrue(report.passed());
        report.add(line(2, "I1 no loss: \"2\" wrong"));
        assertFalse(report.passed());
        String markdown = Files.readString(folder.resolve("report.md"));
        assertTrue(
                markdown.contains("| split | kill-task | 3 | 70 | 0 | 0 | 0 | 0 of 13 | 500 | 900 | 500 |"), markdown);
        assertTrue(
                markdown.contains("| split | kill-task | 3 | 70 | 2 | 0 | 0 | 1 of 13 | 500 | 900 | 500 |"), markdown);
        assertTrue(markdown.contains("skipped: no such process"), markdown);
        String json = Files.readString(folder.resolve("report.json"));
        assertTrue(json.contains("\"lost\": 2") && json.contains("\"rto_p99_ms\": 900"), json);
        assertTrue(json.contains("\"I1 no loss: \\\"2\\\" wrong\""), json);
    }
}
