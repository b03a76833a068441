package io.tributary.node.command.log;

import io.tributary.common.pipeline.Clock;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Shows on a terminal, once a second, how much of the binlog was read. For one thread. */
final class LogProgress implements LongConsumer {
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);
    private static final int MIB = 20;

    private final PrintWriter err;
    private final LongSupplier total;
    private final boolean isTerminal;
    private final Clock clock;
    private long next;
    private boolean isShown;

    /**
     * @param err the terminal
     * @param total bytes of all files; 0 while that is not known
     * @param isTerminal whether anything is shown
     */
    LogProgress(PrintWriter err, LongSupplier total, boolean isTerminal, Clock clock) {
        this.err = err;
        this.total = total;
        this.isTerminal = isTerminal;
        this.clock = clock;
        this.next = clock.nanoTime() + PERIOD;
    }

    @Override
    public void accept(long done) {
        if (!isTerminal || clock.nanoTime() - next < 0) {
            return;
        }
        next = clock.nanoTime() + PERIOD;
        isShown = true;
        long all = total.getAsLong();
        err.print(
                all == 0
                        ? String.format("\r%d MiB  ", done >> MIB)
                        : String.format("\r%d of %d MiB, %d %%  ", done >> MIB, all >> MIB, 100 * done / all));
        err.flush();
    }

    /** Clears the line. */
    void end() {
        if (isShown) {
            err.print("\r" + " ".repeat(40) + "\r");
            err.flush();
            isShown = false;
        }
    }
}
