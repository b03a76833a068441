package io.tributary.node;

import io.tributary.node.command.TributaryCommand;
import io.tributary.node.log.Logging;
import io.tributary.node.role.StopSignal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/** The process: runs one command, ends with its exit status, and turns SIGTERM and SIGINT into a clean end. */
public final class Main {
    private static final long PATIENCE_SECONDS = 30;

    private Main() {}

    public static void main(String[] arguments) {
        Logging.use();
        StopSignal stop = new StopSignal();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger status = new AtomicInteger();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, ended, status), "shutdown"));
        try {
            status.set(TributaryCommand.run(arguments, stop));
        } catch (Throwable cause) { // whatever it is, no process stays that does nothing
            LoggerFactory.getLogger(Main.class).error("INTERNAL: the process ends", cause);
            status.set(1);
        }
        ended.countDown();
        System.exit(status.get());
    }

    /** Runs when the process was told to end, and also after {@code System.exit}: then nothing is left to wait for. */
    private static void end(StopSignal stop, CountDownLatch ended, AtomicInteger status) {
        stop.request();
        boolean clean = false;
        try {
            clean = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(clean ? status.get() : 1);
    }
}
