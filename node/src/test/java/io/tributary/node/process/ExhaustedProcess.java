package io.tributary.node.process;

import com.sun.management.UnixOperatingSystemMXBean;
import io.tributary.common.metric.Metrics;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that uses up its heap or its file descriptors, and prints its metrics before and after: see {@link ProcessAlertsTest}. */
final class ExhaustedProcess {
    static final String END = "# before";
    private static final int BLOCK = 64 << 10;

    private ExhaustedProcess() {}

    /** @param args {@code heap}, or {@code files} with a file to open again and again */
    public static void main(String[] args) throws Exception {
        try (Metrics metrics = new Metrics()) {
            metrics.registerProcess();
            System.out.println(metrics.scrape());
            System.out.println(END);
            if (args[0].equals("heap")) {
                List<byte[]> held = fill();
                System.out.println(metrics.scrape());
                held.clear();
            } else {
                open(Path.of(args[1]), metrics);
            }
        }
    }

    /** Fills the heap, and leaves enough for the metrics. */
    private static List<byte[]> fill() {
        List<byte[]> held = new ArrayList<>();
        Runtime runtime = Runtime.getRuntime();
        while (runtime.totalMemory() < runtime.maxMemory() || runtime.freeMemory() > runtime.maxMemory() / 40) {
            held.add(new byte[BLOCK]);
        }
        return held;
    }

    /** Uses five of six file descriptors. */
    private static void open(Path file, Metrics metrics) throws Exception {
        UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<InputStream> opened = new ArrayList<>();
        while (system.getOpenFileDescriptorCount() < system.getMaxFileDescriptorCount() * 5 / 6) {
            opened.add(Files.newInputStream(file));
        }
        System.out.println(metrics.scrape());
        for (InputStream each : opened) {
            each.close();
        }
    }
}
