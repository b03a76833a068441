package io.tributary.node;

import io.tributary.node.command.TributaryCommand;
import io.tributary.node.log.Logging;
import io.tributary.node.process.StopSignal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/** Entry point of the process: runs one command, exits with its status, and shuts down cleanly after SIGTERM or SIGINT. */
public final class Main {
    private static final long TIMEOUT_SECONDS = 30;

    private Main() {}

    public static void main(String[] arguments) {
        Logging.use();
        StopSignal stop = new StopSignal();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger status = new AtomicInteger();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(stop, ended, status), "shutdown"));
        try {
            status.set(TributaryCommand.run(arguments, stop));
        } catch (Throwable cause) { // also for errors: no process stays alive without work
            LoggerFactory.getLogger(Main.class)
                    .error("process exits after an unexpected failure: code=INTERNAL", cause);
            status.set(1);
        }
        Logging.end();
        ended.countDown();
        System.exit(status.get());
    }

    /** Runs after a signal that ends the process, and also after {@code System.exit}: then there is nothing to wait for. */
    private static void shutDown(StopSignal stop, CountDownLatch ended, AtomicInteger status) {
        stop.request();
        boolean clean = false;
        try {
            clean = ended.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(clean ? status.get() : 1);
    }
}
