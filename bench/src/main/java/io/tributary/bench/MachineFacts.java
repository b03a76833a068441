package io.tributary.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes the machine on which a bench runs, because figures depend on it. */
final class MachineFacts {
    private MachineFacts() {}

    /** Cores, processor, memory, kernel, JDK, and the load average of the last minute. */
    static String line() {
        return Runtime.getRuntime().availableProcessors() + " cores (" + processor() + "), " + memoryGib() + " GiB, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", JDK "
                + System.getProperty("java.version") + ", load " + firstOf("/proc/loadavg", "^(\\S+)");
    }

    private static String processor() {
        return firstOf("/proc/cpuinfo", "model name\\s*:\\s*(.*)");
    }

    private static long memoryGib() {
        String kib = firstOf("/proc/meminfo", "MemTotal:\\s*(\\d+) kB");
        return kib.isEmpty() ? 0 : Math.round(Long.parseLong(kib) / 1024.0 / 1024.0);
    }

    private static String firstOf(String file, String pattern) {
        try {
            Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(Path.of(file)));
            return matcher.find() ? matcher.group(1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
