package io.tributary.node.command.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.command.top.TopScreen.Line;
import io.tributary.node.command.top.TopScreen.Style;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopScreenTest {
    private static TopSample sample(long seconds, int shards, long transactions) {
        String names =
                IntStream.range(0, shards).mapToObj(i -> "\"s" + i + "\"").collect(Collectors.joining(","));
        String lags = IntStream.range(0, shards)
                .mapToObj(i -> metric("shard.lag.seconds", "shard", "s" + i, i) + ","
                        + metric("extract.transactions", "shard", "s" + i, (double) transactions))
                .collect(Collectors.joining(","));
        String json =
                "{\"version\":\"1\",\"role\":\"standalone\",\"state\":\"running\",\"healthy\":true,\"shards\":[" + names
                        + "],\"facts\":{\"serves\":\"127.0.0.1:3307\",\"shard.s1.held\":\"DDL_WAITS\"},\"metrics\":["
                        + lags + ","
                        + metric("write.bytes", "", "", transactions * 1024.0 * 1024) + ","
                        + metric("link.passed", "link", "merge", (double) transactions) + ","
                        + metric("link.no.room.seconds", "link", "merge", seconds / 2.0)
                        + ",{\"name\":\"tributary.serve.reader.lag.seconds\",\"tags\":{\"user\":\"cdc\",\"reader\":\"17\"},\"value\":2.5}"
                        + ",{\"name\":\"tributary.apply.lag.seconds\",\"tags\":{},\"value\":null}]}";
        return TopSample.of(json, seconds * 1_000_000_000L);
    }

    private static String metric(String name, String tag, String label, double value) {
        String tags = tag.isEmpty() ? "" : "\"" + tag + "\":\"" + label + "\"";
        return String.format(
                Locale.ROOT, "{\"name\":\"tributary.%s\",\"tags\":{%s},\"value\":%.3f}", name, tags, value);
    }

    private static List<String> texts(List<Line> lines) {
        return lines.stream().map(line -> line.text().replaceAll(" +", " ")).toList();
    }

    @Test
    void showsRatesOfTheTimeBetweenTwoSamples() {
        List<Line> lines = new TopScreen(sample(10, 2, 100), sample(12, 2, 300)).lines(40);
        List<String> texts = texts(lines);
        assertEquals(
                new Line("tributary 1 standalone running", Style.TITLE),
                new Line(texts.get(0), lines.get(0).style()));
        assertTrue(texts.contains("s0 100 - - 0.0 -"), texts.toString());
        assertTrue(texts.contains("s1 100 - - 1.0 - held"), texts.toString());
        assertTrue(texts.contains("100 MiB/s"), texts.toString());
        assertTrue(texts.contains("17 cdc - - 2.5"), texts.toString());
        assertTrue(texts.contains("merge 100 - - 50 %"), texts.toString());
        assertTrue(
                lines.stream()
                        .anyMatch(line ->
                                line.style() == Style.ALERT && line.text().contains("DDL_WAITS")),
                texts.toString());
    }

    @Test
    void ofManyShardsThoseWithTheMostLagFit() {
        List<Line> lines = new TopScreen(sample(1, 300, 1), sample(2, 300, 1)).lines(24);
        assertTrue(lines.size() <= 24, lines.size() + " lines");
        List<String> texts = texts(lines);
        assertTrue(texts.contains("s299 0.0 - - 299.0 - late"), texts.toString());
        assertTrue(texts.stream().noneMatch(line -> line.startsWith("s0 ")), texts.toString());
        assertTrue(texts.stream().anyMatch(line -> line.matches("and 2\\d\\d shards with less lag")), texts.toString());
    }
}
