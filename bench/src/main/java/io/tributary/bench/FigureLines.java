package io.tributary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Figures for programs: one JSON object a line. */
final class FigureLines {
    private FigureLines() {}

    static void write(Path file, List<Figure> figures) throws IOException {
        Files.write(file, figures.stream().map(FigureLines::line).toList());
    }

    static String line(Figure figure) {
        return "{\"bench\":" + text(figure.bench())
                + ",\"figure\":" + text(figure.figure())
                + ",\"unit\":" + text(figure.unit())
                + ",\"value\":" + number(figure.value())
                + ",\"peer\":" + (figure.peer().isEmpty() ? "null" : text(figure.peer()))
                + ",\"peer_value\":" + number(figure.peerValue())
                + ",\"ratio\":" + number(figure.ratio())
                + ",\"runs\":" + figure.values().size()
                + ",\"smallest\":" + number(figure.smallest())
                + ",\"largest\":" + number(figure.largest())
                + "}";
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "null";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6g", value);
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
