package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.TimedCommand;
import io.tributary.bench.source.SourceProcess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs a program that reads all sources at the same time, and takes a sample of its usage when it has read half of the bytes. */
final class WatchedCommand {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final SourceProcess source;
    private final Load load;

    WatchedCommand(SourceProcess source, Load load) {
        this.source = source;
        this.load = load;
    }

    /** A sample of the program's usage. */
    private record Sample(long read, ProcessUsage used, long nanos) {}

    Outcome run(List<String> program) {
        source.reset();
        double before = ProcessUsage.of(source.pid()).cpuSeconds();
        CompletableFuture<TimedCommand> running = CompletableFuture.supplyAsync(() -> TimedCommand.run(program));
        Sample half = half(running, program.get(0));
        TimedCommand all = running.join();
        long end = System.nanoTime();
        double sourceCpu = ProcessUsage.of(source.pid()).cpuSeconds() - before;
        ProcessUsage used = new ProcessUsage(all.userSeconds(), all.systemSeconds(), 0, Map.of());
        return new Outcome(all.seconds(), used, 0, sourceCpu, 0, part(half, used, end));
    }

    private Sample half(CompletableFuture<TimedCommand> running, String program) {
        while (!running.isDone()) {
            long read = source.readBytes();
            if (read >= load.bytes() / 2) {
                long nanos = System.nanoTime();
                return ProcessHandle.current()
                        .descendants()
                        .filter(process ->
                                process.info().command().filter(program::equals).isPresent())
                        .filter(process -> process.pid() != source.pid())
                        .findFirst()
                        .map(process -> new Sample(read, ProcessUsage.of(process.pid()), nanos))
                        .orElse(null);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return null;
    }

    private Outcome.Part part(Sample half, ProcessUsage used, long end) {
        if (half == null) {
            return Outcome.Part.NONE;
        }
        ProcessUsage later = new ProcessUsage(
                used.userSeconds() - half.used().userSeconds(),
                used.systemSeconds() - half.used().systemSeconds(),
                0,
                Map.of());
        double share = (load.bytes() - half.read()) / (double) load.bytes();
        return new Outcome.Part(share, (end - half.nanos()) / 1e9, later);
    }
}
