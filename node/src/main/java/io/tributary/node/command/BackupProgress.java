package io.tributary.node.command;

import io.tributary.backup.Manifest;
import io.tributary.backup.Progress;
import java.io.PrintWriter;
import java.util.List;

/** The display of the progress of work on a backup's files: on a terminal a bar that is redrawn, else one line for each file that is done. */
final class BackupProgress implements Progress {
    private static final int WIDTH = 30;
    private static final int NO_BAR = -1;

    private final PrintWriter out;
    private final boolean hasBar;
    private final long total;
    private final int files;
    private long done;
    private long ofFile;
    private int ended;
    private int drawn = NO_BAR;
    private String name = "";

    /** @param hasBar whether the writer is a terminal */
    BackupProgress(PrintWriter out, boolean hasBar, List<Manifest.Entry> files) {
        this.out = out;
        this.hasBar = hasBar;
        this.files = files.size();
        this.total = files.stream().mapToLong(Manifest.Entry::size).sum();
    }

    @Override
    public void begins(Manifest.Entry file) {
        name = file.name();
        ofFile = 0;
        draw();
    }

    @Override
    public void moved(long bytes) {
        ofFile += bytes;
        draw();
    }

    @Override
    public void ended(Manifest.Entry file, String how) {
        done += file.size();
        ofFile = 0;
        ended++;
        line(file.name() + ": " + how);
        draw();
    }

    /** Prints a line above the bar. */
    void line(String text) {
        clear();
        out.println(text);
        out.flush();
    }

    /** Removes the bar. */
    void clear() {
        if (drawn != NO_BAR) {
            out.print("\r\u001b[K");
            out.flush();
            drawn = NO_BAR;
        }
    }

    private void draw() {
        int thousandths = total == 0 ? 0 : (int) Math.min(1000, (done + ofFile) * 1000 / total);
        if (!hasBar || thousandths == drawn) {
            return;
        }
        drawn = thousandths;
        int filled = thousandths * WIDTH / 1000;
        out.printf(
                "\r[%s%s] %5.1f %%  %d of %d files  %s\u001b[K",
                "#".repeat(filled), " ".repeat(WIDTH - filled), thousandths / 10.0, ended, files, name);
        out.flush();
    }
}
