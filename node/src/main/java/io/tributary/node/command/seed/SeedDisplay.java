package io.tributary.node.command.seed;

import io.tributary.common.pipeline.Clock;
import io.tributary.seed.SeedListener;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * The display of a seed's progress: on a terminal a bar that is redrawn, else a line every few seconds; or JSON, one object a line. Any thread.
 */
final class SeedDisplay implements SeedListener {
    private static final long REDRAW_NANOS = 500_000_000;
    private static final long LINE_NANOS = 5_000_000_000L;
    private static final int WIDTH = 30;
    private static final double MIB = 1 << 20;

    private final PrintWriter out;
    private final Form form;
    private final Clock clock;
    private long shownNanos;
    private long begunNanos;
    private String work = "";
    private boolean isDrawn;

    /** How progress is shown. */
    enum Form {
        BAR,
        LINES,
        JSON
    }

    SeedDisplay(PrintWriter out, Form form, Clock clock) {
        this.out = out;
        this.form = form;
        this.clock = clock;
    }

    @Override
    public synchronized void step(String text) {
        clear();
        out.println(form == Form.JSON ? "{\"step\": " + quoted(text) + "}" : text);
        out.flush();
        work = "";
    }

    @Override
    public synchronized void copied(long rows, long bytes, long expectedRows) {
        if (isDue("copy", rows >= expectedRows)) {
            double seconds = seconds();
            String rate = String.format(Locale.ROOT, "%.0f rows/s, %.1f MiB/s", rows / seconds, bytes / MIB / seconds);
            show(
                    new Amount("copy", "rows", rows, Math.max(rows, expectedRows)),
                    String.format(Locale.ROOT, "%.1f MiB, ", bytes / MIB) + rate,
                    ", \"bytes\": " + bytes);
        }
    }

    @Override
    public synchronized void replayed(long transactions, long expected) {
        if (isDue("replay", transactions >= expected)) {
            show(
                    new Amount("replay", "transactions", transactions, expected),
                    String.format(Locale.ROOT, "%.0f/s", transactions / seconds()),
                    "");
        }
    }

    /** Rows or transactions that are done, of all. */
    private record Amount(String work, String unit, long done, long all) {}

    private double seconds() {
        return Math.max(1e-3, (clock.nanoTime() - begunNanos) / 1e9);
    }

    private boolean isDue(String next, boolean isComplete) {
        long now = clock.nanoTime();
        if (!next.equals(work)) {
            work = next;
            begunNanos = now;
            shownNanos = now;
            return false;
        }
        boolean isDue = now - shownNanos >= (form == Form.BAR ? REDRAW_NANOS : LINE_NANOS) || isComplete && isDrawn;
        if (isDue) {
            shownNanos = now;
        }
        return isDue;
    }

    private void show(Amount amount, String rates, String json) {
        double part = amount.all() == 0 ? 1 : (double) amount.done() / amount.all();
        double left = part <= 0 ? 0 : seconds() * (1 - part) / part;
        if (form == Form.JSON) {
            out.printf(
                    Locale.ROOT,
                    "{\"work\": \"%s\", \"%s\": %d, \"of\": %d%s, \"seconds_left\": %.0f}%n",
                    amount.work(),
                    amount.unit(),
                    amount.done(),
                    amount.all(),
                    json,
                    left);
        } else {
            String line = String.format(
                    Locale.ROOT,
                    "%s: %d of about %d %s, %s, about %.0f s left",
                    amount.work(),
                    amount.done(),
                    amount.all(),
                    amount.unit(),
                    rates,
                    left);
            if (form == Form.BAR) {
                int filled = (int) Math.round(Math.min(1, part) * WIDTH);
                out.print("\r\u001b[K[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + line);
                isDrawn = true;
            } else {
                out.println(line);
            }
        }
        out.flush();
    }

    /** Removes the bar. */
    synchronized void clear() {
        if (isDrawn) {
            out.print("\r\u001b[K");
            isDrawn = false;
        }
        out.flush();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
