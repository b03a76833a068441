package io.tributary.node;

import io.tributary.node.command.TributaryCommand;
import io.tributary.node.log.LineLogs;
import io.tributary.node.role.StopSignal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The process: runs one command, ends with its exit status, and turns SIGTERM and SIGINT into a clean end. */
public final class Main {
    private static final long PATIENCE_SECONDS = 30;

    private Main() {}

    public static void main(String[] arguments) {
        LineLogs.use();
        SLF4JBridgeHandler.removeHandlersForRootLogger(); // gRPC logs by java.util.logging
        SLF4JBridgeHandler.install();
        StopSignal stop = new StopSignal();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger status = new AtomicInteger();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, ended, status), "shutdown"));
        status.set(TributaryCommand.run(arguments, stop));
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
