package io.tributary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Formats figures for programs: one JSON object per line. */
final class FigureLines {
    private FigureLines() {}

    /** @param machine the machine on which they were measured */
    static void write(Path file, List<Figure> figures, String machine) throws IOException {
        Files.write(file, figures.stream().map(figure -> line(figure, machine)).toList());
    }

    static String line(Figure figure, String machine) {
        return "{\"bench\":" + text(figure.bench())
                + ",\"figure\":" + text(figure.name())
                + ",\"unit\":" + text(figure.unit())
                + ",\"value\":" + number(figure.median())
                + ",\"min\":" + number(figure.smallest())
                + ",\"max\":" + number(figure.largest())
                + ",\"peer\":" + (figure.peer().isEmpty() ? "null" : text(figure.peer()))
                + ",\"peer_value\":" + number(figure.peerMedian())
                + ",\"ratio\":" + number(figure.ratio())
                + ",\"runs\":" + figure.values().size()
                + ",\"target\":"
                + figure.target().map(target -> text(target.text())).orElse("null")
                + ",\"met\":"
                + figure.target()
                        .map(target -> Boolean.toString(target.isMet(figure)))
                        .orElse("null")
                + ",\"machine\":" + text(machine)
                + "}";
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "null";
    }

    /** A number in JSON; null for infinity and NaN, which JSON does not have. */
    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.6g", value) : "null";
    }

    private static String text(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char letter = value.charAt(i);
            switch (letter) {
                case '"', '\\' -> quoted.append('\\').append(letter);
                default -> {
                    if (letter < ' ') {
                        quoted.append(String.format("\\u%04x", (int) letter));
                    } else {
                        quoted.append(letter);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
