package io.tributary.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {
    @Test
    void tellsMediansAndTheirRatio() {
        Figure figure = Figure.of("pipeline", "throughput", "MiB/s", List.of(300.0, 100.0, 200.0))
                .beside("peer", List.of(100.0, 50.0));
        assertEquals(200, figure.value());
        assertEquals(100, figure.smallest());
        assertEquals(300, figure.largest());
        assertEquals(75, figure.peerValue().orElseThrow());
        assertEquals(200.0 / 75, figure.ratio().orElseThrow(), 1e-9);
    }

    @Test
    void isALineOfJson() {
        Figure figure =
                Figure.of("latency", "a \"quoted\" name", "ms", List.of(1.5)).beside("peer", List.of(3.0));
        assertEquals(
                "{\"bench\":\"latency\",\"figure\":\"a \\\"quoted\\\" name\",\"unit\":\"ms\",\"value\":1.50000,"
                        + "\"peer\":\"peer\",\"peer_value\":3.00000,\"ratio\":0.500000,\"runs\":1,"
                        + "\"smallest\":1.50000,\"largest\":1.50000}",
                FigureLines.line(figure));
    }

    @Test
    void hasNoPeerUnlessOneIsGiven() {
        String line = FigureLines.line(Figure.of("pipeline", "peak RSS", "MiB", List.of(400.0)));
        assertEquals(true, line.contains("\"peer\":null,\"peer_value\":null,\"ratio\":null"));
    }

    @Test
    void refusesOptionsThatItDoesNotKnow() {
        assertThrows(
                IllegalArgumentException.class, () -> BenchOptions.parse(new String[] {"pipeline", "--speed", "9"}));
        assertThrows(IllegalArgumentException.class, () -> BenchOptions.parse(new String[] {"--runs", "1"}));
        BenchOptions options = BenchOptions.parse(new String[] {"pipeline", "--runs", "0"});
        assertThrows(IllegalArgumentException.class, () -> options.number("runs", 3));
    }

    @Test
    void quantilesLieBetweenNeighbours() {
        Distribution distribution = Distribution.of(new double[] {4, 1, 3, 2});
        assertEquals(2.5, distribution.quantile(0.5));
        assertEquals(4, distribution.quantile(1));
        assertEquals(1, distribution.quantile(0));
    }
}
