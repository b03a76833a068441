package io.tributary.testkit.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A child process that always ends with this JVM.
 *
 * <p>It is ended by its id: by {@link #close()}, by a shutdown hook if the JVM ends before, and by a watch process (a shell
 * that waits on a pipe from this JVM) if the JVM itself is killed. The watch process ignores the terminal's Ctrl-C.
 */
public final class ChildProcess implements AutoCloseable {
    private static final String WATCH = "trap '' HUP INT TERM; read line && exit 0; kill -9 \"$1\" 2>/dev/null";

    private final Process process;
    private final Process watch;
    private final Thread hook;
    private final CompletableFuture<Void> released;

    private ChildProcess(Process process, Process watch) {
        this.process = process;
        this.watch = watch;
        this.hook = new Thread(process::destroyForcibly, "end-" + process.pid());
        Runtime.getRuntime().addShutdownHook(hook);
        this.released = process.onExit().thenRun(this::release);
    }

    /** Starts a program; its output, both streams, is appended to the log. */
    public static ChildProcess start(List<String> command, Path log) {
        return start(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())));
    }

    /** Starts the process of the builder. */
    public static ChildProcess start(ProcessBuilder builder) {
        try {
            Process process = builder.start();
            try {
                return new ChildProcess(process, watch(process.pid()));
            } catch (IOException | RuntimeException e) {
                process.destroyForcibly();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + builder.command().get(0) + ": " + e.getMessage(), e);
        }
    }

    private static Process watch(long pid) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", WATCH, "watch", Long.toString(pid))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Ends the watch when the child has ended, so it never kills a later process with the same id. */
    private void release() {
        try (OutputStream pipe = watch.getOutputStream()) {
            pipe.write('\n');
        } catch (IOException e) {
            watch.destroyForcibly();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the JVM is ending and runs the hook
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The exit status; only after the process has ended. */
    public int exitValue() {
        return process.exitValue();
    }

    /** The process itself, for its streams if the builder has left them as pipes. */
    public Process process() {
        return process;
    }

    /** Kills it (SIGKILL) and returns after it has ended. */
    public void kill9() {
        process.destroyForcibly().onExit().join();
    }

    /** Sends SIGTERM, waits, and kills it after the limit. Returns whether it ended by itself. */
    public boolean terminate(Duration limit) {
        process.destroy();
        if (awaitExit(limit)) {
            return true;
        }
        kill9();
        return false;
    }

    /** Stops it (SIGSTOP), until {@link #resume()}. */
    public void pause() {
        signal("STOP");
    }

    /** Resumes it (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Waits for its end; returns whether it ended within the limit. */
    public boolean awaitExit(Duration limit) {
        try {
            return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of process " + pid(), e);
        }
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("cannot send SIG" + name + " to process " + pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + name, e);
        }
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill9();
        released.join();
    }
}
