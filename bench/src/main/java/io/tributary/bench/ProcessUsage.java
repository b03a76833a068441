package io.tributary.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resources that a running process has used so far (proc(5)).
 *
 * @param userSeconds CPU seconds in user mode
 * @param systemSeconds CPU seconds in the kernel
 * @param peakBytes peak of its resident memory in bytes
 * @param threadSeconds CPU seconds of its living threads by name; the sum for threads with the same name
 */
public record ProcessUsage(
        double userSeconds, double systemSeconds, long peakBytes, Map<String, Double> threadSeconds) {
    /** Clock ticks per second in /proc: 100 on every Linux that Java runs on. */
    private static final double TICKS = 100;

    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s*(\\d+) kB");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s*(\\d+) kB");
    private static final int USER_FIELD = 11;

    /** Reads the current values from /proc. */
    public static ProcessUsage of(long pid) {
        Path folder = Path.of("/proc", Long.toString(pid));
        try {
            String[] fields = fields(folder.resolve("stat"));
            Matcher peak = PEAK.matcher(Files.readString(folder.resolve("status")));
            return new ProcessUsage(
                    Long.parseLong(fields[USER_FIELD]) / TICKS,
                    Long.parseLong(fields[USER_FIELD + 1]) / TICKS,
                    peak.find() ? Long.parseLong(peak.group(1)) * 1024 : 0,
                    threads(folder.resolve("task")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource usage of process " + pid, e);
        }
    }

    /** The resident memory of a process now, in bytes. */
    public static long residentBytes(long pid) {
        try {
            Matcher resident = RESIDENT.matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
            return resident.find() ? Long.parseLong(resident.group(1)) * 1024 : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resident memory of process " + pid, e);
        }
    }

    private static Map<String, Double> threads(Path tasks) throws IOException {
        Map<String, Double> seconds = new TreeMap<>();
        try (var folders = Files.newDirectoryStream(tasks)) {
            for (Path task : folders) {
                if (!Files.exists(task.resolve("stat"))) { // the thread has ended meanwhile
                    continue;
                }
                String[] fields = fields(task.resolve("stat"));
                double used = (Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1])) / TICKS;
                seconds.merge(Files.readString(task.resolve("comm")).strip(), used, Double::sum);
            }
        }
        return seconds;
    }

    /** The fields after the process's name, which is in parentheses and may contain spaces: field 3 (state) is the first. */
    private static String[] fields(Path stat) throws IOException {
        String text = Files.readString(stat);
        return text.substring(text.lastIndexOf(')') + 2).split(" ");
    }

    public double cpuSeconds() {
        return userSeconds + systemSeconds;
    }

    /** The usage since an earlier measurement of the same process; the peak is over the whole run of the process. */
    public ProcessUsage since(ProcessUsage earlier) {
        Map<String, Double> threads = new TreeMap<>();
        threadSeconds.forEach(
                (name, seconds) -> threads.put(name, seconds - earlier.threadSeconds.getOrDefault(name, 0.0)));
        return new ProcessUsage(
                userSeconds - earlier.userSeconds, systemSeconds - earlier.systemSeconds, peakBytes, threads);
    }

    /** The threads with the most CPU, by name, the busiest first. */
    public Map<String, Double> busiestThreads(int count) {
        Map<String, Double> busiest = new LinkedHashMap<>();
        threadSeconds.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(count)
                .forEach(thread -> busiest.put(thread.getKey(), thread.getValue()));
        return busiest;
    }
}
