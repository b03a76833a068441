package io.tributary.node.command.top;

import io.tributary.node.command.top.TopScreen.Line;
import io.tributary.node.command.top.TopScreen.Style;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The terminal of the process: its other screen while it is open, its size, and keys that are read without Enter. Needs stty. */
final class TopTerminal implements AutoCloseable {
    private static final File TTY = new File("/dev/tty");
    private static final String BEGIN = "\u001b[?1049h\u001b[?25l";
    private static final String END = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String BOLD = "\u001b[1m";
    private static final String RED = "\u001b[31m";
    private static final String NORMAL = "\u001b[0m";
    private static final int WIDTH = 80;
    private static final int HEIGHT = 24;

    private final PrintWriter out;
    private final boolean hasColours;
    private final String settings;
    private final InputStream keys;

    /**
     * The size of the terminal.
     *
     * @param width columns
     * @param height lines
     */
    record Size(int width, int height) {}

    /** @throws IOException if the process has no terminal, or there is no stty */
    TopTerminal(PrintWriter out, boolean hasColours) throws IOException {
        this.out = out;
        this.hasColours = hasColours;
        this.settings = stty("-g");
        this.keys = new FileInputStream(TTY);
        stty("-icanon", "-echo", "min", "0", "time", "0");
        out.print(BEGIN);
        out.flush();
    }

    /** Runs stty for the terminal, and returns what it prints. */
    private static String stty(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(TTY)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream printed = process.getInputStream()) {
            return new String(printed.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    /** The size now; 80 columns and 24 lines if it is not known. */
    Size size() {
        try {
            String[] numbers = stty("size").split(" ", -1);
            int height = Integer.parseInt(numbers[0]);
            int width = Integer.parseInt(numbers[1]);
            return width > 0 && height > 0 ? new Size(width, height) : new Size(WIDTH, HEIGHT);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return new Size(WIDTH, HEIGHT);
        }
    }

    /** A key that was pressed, or -1. */
    int key() throws IOException {
        return keys.available() > 0 ? keys.read() : -1;
    }

    /** Draws the lines over the previous ones; what does not fit is cut. */
    void draw(List<Line> lines, Size size) {
        StringBuilder screen = new StringBuilder(HOME);
        int most = Math.min(lines.size(), size.height());
        for (int i = 0; i < most; i++) {
            Line line = lines.get(i);
            String text = line.text().length() > size.width() ? line.text().substring(0, size.width()) : line.text();
            screen.append(coloured(text, line.style())).append(CLEAR_LINE).append(i + 1 < most ? "\r\n" : "");
        }
        out.print(screen.append(CLEAR_BELOW));
        out.flush();
    }

    private String coloured(String text, Style style) {
        if (!hasColours || style == Style.PLAIN) {
            return text;
        }
        return (style == Style.TITLE ? BOLD : RED) + text + NORMAL;
    }

    @Override
    public void close() throws IOException {
        out.print(END);
        out.flush();
        keys.close();
        stty(settings);
    }
}
