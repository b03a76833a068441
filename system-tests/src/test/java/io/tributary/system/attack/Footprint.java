package io.tributary.system.attack;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that a node uses.
 *
 * @param heap bytes of live objects
 * @param direct bytes of direct memory in use
 * @param threads number of threads of its process
 * @param descriptors number of open file descriptors
 */
public record Footprint(long heap, long direct, long threads, long descriptors) {
    private static final long CHUNKS = 1 << 20;
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    /** Measures a node now, after a garbage collection. Direct memory is 0 if its admin endpoint does not answer. */
    public static Footprint of(NodeProcess node) throws IOException {
        long pid = node.process().pid();
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String histogram = MysqlTools.run(List.of(jcmd, Long.toString(pid), "GC.class_histogram"))
                .output();
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IllegalStateException("expected the live objects of process " + pid + ", got " + histogram);
        }
        long direct = (long) node.metric("tributary_direct_memory_bytes");
        return new Footprint(Long.parseLong(total.group(1)), direct, entries(pid, "task"), entries(pid, "fd"));
    }

    private static long entries(long pid, String folder) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(pid), folder))) {
            return all.count();
        }
    }

    /**
     * Whether no value has grown by more than a tenth, and all values were measured. Direct memory may grow by 1 MiB in any case: buffers are cut from
     * chunks of 128 to 512 KiB, and how many chunks are in use depends on how many answers were in memory at the same time.
     */
    public boolean isBackTo(Footprint before) {
        return isBack(heap, before.heap)
                && (isBack(direct, before.direct) || direct > 0 && direct - before.direct <= CHUNKS)
                && isBack(threads, before.threads)
                && isBack(descriptors, before.descriptors);
    }

    private static boolean isBack(long now, long before) {
        return now > 0 && now * 10 <= before * 11;
    }
}
