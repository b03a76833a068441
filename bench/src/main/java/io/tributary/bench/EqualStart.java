package io.tributary.bench;

import io.tributary.testkit.server.MysqlTools;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives every program of a bench the same start conditions: the disk is idle, and the page cache has no pages of files that were just
 * deleted. On a virtual machine that returns free pages to its host, the first write to a page costs several times as much as a
 * write to a page that was freed a moment ago. Without this, a program that runs after another one would avoid this cost.
 */
public final class EqualStart {
    /** Longer than the delay of Linux's free page reporting (2 s, mm/page_reporting.c) plus its time for some GiB. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private EqualStart() {}

    /** Waits for the same conditions. Call it after the files of the last program were deleted. */
    public static void await() {
        MysqlTools.Outcome synced = MysqlTools.run(List.of("sync"));
        if (synced.status() != 0) {
            throw new IllegalStateException("sync failed: " + synced.output());
        }
        long end = System.nanoTime() + REST_NANOS;
        for (long left = REST_NANOS; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left); // nothing shows when the pages were returned
        }
    }
}
