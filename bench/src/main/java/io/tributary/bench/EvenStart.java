package io.tributary.bench;

import io.tributary.testkit.server.MysqlTools;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives every contender of a bench the same start, whoever ran before it: the disk has nothing to do, and the page cache has no pages left
 * of files that were just deleted. On a virtual machine that gives free pages back to its host, a page costs several times as much
 * to write to for the first time as one that was freed a moment ago: who ran behind another would be spared that.
 */
public final class EvenStart {
    /** Longer than Linux's free page reporting lets pages lie (2 s, mm/page_reporting.c) and needs for some GiB. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private EvenStart() {}

    /** To be called when the last contender's files have been deleted. */
    public static void await() {
        MysqlTools.Outcome synced = MysqlTools.run(List.of("sync"));
        if (synced.status() != 0) {
            throw new IllegalStateException("sync failed: " + synced.output());
        }
        long end = System.nanoTime() + REST_NANOS;
        for (long left = REST_NANOS; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left); // nothing tells when the pages have gone
        }
    }
}
