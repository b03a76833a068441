package io.tributary.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FigureTest {
    @Test
    void printsMediansAndTheirRatio() {
        Figure figure = Figure.of("pipeline", "throughput", "MiB/s", List.of(300.0, 100.0, 200.0))
                .beside("peer", List.of(100.0, 50.0));
        assertEquals(200, figure.median());
        assertEquals(100, figure.smallest());
        assertEquals(300, figure.largest());
        assertEquals(75, figure.peerMedian().orElseThrow());
        assertEquals(200.0 / 75, figure.ratio().orElseThrow(), 1e-9);
    }

    @Test
    void comparesEachTurnWithAPeerThatRanInTurns() {
        Figure figure = Figure.of("write", "throughput", "MiB/s", List.of(100.0, 10.0, 300.0))
                .beside("peer", List.of(200.0, 10.0, 100.0));
        assertEquals(1, figure.ratio().orElseThrow(), 1e-9);
    }

    @Test
    void isOneLineOfJson() {
        Figure figure = Figure.of("latency", "a \"quoted\" name", "ms", List.of(1.5))
                .beside("peer", List.of(3.0))
                .aiming(Target.atMostOfPeer(0.7));
        assertEquals(
                "{\"bench\":\"latency\",\"figure\":\"a \\\"quoted\\\" name\",\"unit\":\"ms\",\"value\":1.50000,"
                        + "\"min\":1.50000,\"max\":1.50000,"
                        + "\"peer\":\"peer\",\"peer_value\":3.00000,\"ratio\":0.500000,\"runs\":1,"
                        + "\"target\":\"at most 0.70 of the peer\",\"met\":true,\"machine\":\"2 cores\"}",
                FigureLines.line(figure, "2 cores"));
    }

    @Test
    void hasNoPeerAndNoTargetUnlessOneIsGiven() {
        String line = FigureLines.line(Figure.of("pipeline", "peak RSS", "MiB", List.of(400.0)), "");
        assertTrue(line.contains(
                "\"peer\":null,\"peer_value\":null,\"ratio\":null,\"runs\":1,\"target\":null,\"met\":null"));
    }

    @Test
    void missesATargetOnTheWrongSide() {
        Figure figure = Figure.of("write", "throughput", "MiB/s", List.of(69.0)).beside("dd", List.of(100.0));
        assertFalse(Target.atLeastOfPeer(0.7).isMet(figure));
        assertTrue(Target.atLeast(69).isMet(figure));
        assertFalse(Target.atMost(68.9).isMet(figure));
    }

    @Test
    void rejectsUnknownOptions() {
        assertEquals(CommandLine.ExitCode.USAGE, status("pipeline", "--speed", "9"));
        assertEquals(CommandLine.ExitCode.USAGE, status("--runs", "1"));
        assertEquals(CommandLine.ExitCode.USAGE, status("pipeline", "--runs", "0"));
        assertEquals(CommandLine.ExitCode.USAGE, status());
    }

    @Test
    void everyBenchWritesJsonOnRequest() {
        Bench.commandLine()
                .getSubcommands()
                .forEach((name, bench) -> assertNotNull(bench.getCommandSpec().findOption("--json"), name));
    }

    private static int status(String... arguments) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Bench.commandLine().setOut(nowhere).setErr(nowhere).execute(arguments);
    }

    @Test
    void quantilesAreBetweenNeighbors() {
        Distribution distribution = Distribution.of(new double[] {4, 1, 3, 2});
        assertEquals(2.5, distribution.quantile(0.5));
        assertEquals(4, distribution.quantile(1));
        assertEquals(1, distribution.quantile(0));
    }
}
