package io.tributary.bench.made;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The live bytes on another JVM's heap, from its class histogram after a garbage collection. */
final class LiveHeap {
    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

    private LiveHeap() {}

    static long bytes(long pid) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                        Long.toString(pid),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher total = TOTAL.matcher(text);
        if (!total.find()) {
            throw new IllegalStateException("expected a class histogram of process " + pid + ", found: " + text);
        }
        return Long.parseLong(total.group(1));
    }
}
