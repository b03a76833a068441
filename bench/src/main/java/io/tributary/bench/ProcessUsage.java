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
 * What a running process has used so far (proc(5)).
 *
 * @param userSeconds CPU in its own code
 * @param systemSeconds CPU in the kernel for it
 * @param peakBytes most memory that was resident at once
 * @param threadSeconds CPU of its living threads by their names; those of one name together
 */
public record ProcessUsage(
        double userSeconds, double systemSeconds, long peakBytes, Map<String, Double> threadSeconds) {
    /** Clock ticks a second in /proc: 100 on every Linux that Java runs on. */
    private static final double TICKS = 100;

    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s*(\\d+) kB");
    private static final int USER_FIELD = 11;

    /** Asks the kernel. */
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
            throw new UncheckedIOException("cannot read what process " + pid + " has used", e);
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

    /** What stands behind the process's name, which is in parentheses and may hold spaces: field 3 (state) first. */
    private static String[] fields(Path stat) throws IOException {
        String text = Files.readString(stat);
        return text.substring(text.lastIndexOf(')') + 2).split(" ");
    }

    public double cpuSeconds() {
        return userSeconds + systemSeconds;
    }

    /** What was used since an earlier look at the same process; the peak is that of all its time. */
    public ProcessUsage since(ProcessUsage earlier) {
        Map<String, Double> threads = new TreeMap<>();
        threadSeconds.forEach(
                (name, seconds) -> threads.put(name, seconds - earlier.threadSeconds.getOrDefault(name, 0.0)));
        return new ProcessUsage(
                userSeconds - earlier.userSeconds, systemSeconds - earlier.systemSeconds, peakBytes, threads);
    }

    /** The threads that used most, by name, the busiest first. */
    public Map<String, Double> busiestThreads(int count) {
        Map<String, Double> busiest = new LinkedHashMap<>();
        threadSeconds.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(count)
                .forEach(thread -> busiest.put(thread.getKey(), thread.getValue()));
        return busiest;
    }
}
