package io.tributary.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats figures as a table for people. */
final class FigureTable {
    private static final List<String> HEAD =
            List.of("figure", "median", "unit", "smallest", "largest", "peer", "peer median", "ratio", "target");

    private FigureTable() {}

    static String of(List<Figure> figures) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (Figure figure : figures) {
            rows.add(List.of(
                    figure.name(),
                    number(figure.median()),
                    figure.unit(),
                    number(figure.smallest()),
                    number(figure.largest()),
                    figure.peer(),
                    figure.peerMedian().isPresent() ? number(figure.peerMedian().getAsDouble()) : "",
                    figure.ratio().isPresent()
                            ? String.format(Locale.ROOT, "%.2f", figure.ratio().getAsDouble())
                            : "",
                    figure.target()
                            .map(target -> target.text() + (target.isMet(figure) ? ": met" : ": missed"))
                            .orElse("")));
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < HEAD.size(); column++) {
                line.append(padded(row.get(column), width(rows, column), isNumber(column)))
                        .append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static boolean isNumber(int column) {
        return column == 1 || column == 3 || column == 4 || column == 6 || column == 7;
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String padded(String text, int width, boolean toTheRight) {
        String spaces = " ".repeat(width - text.length());
        return toTheRight ? spaces + text : text + spaces;
    }

    /** At least three significant digits; no fraction from 1000 on. */
    static String number(double value) {
        double size = Math.abs(value);
        int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
